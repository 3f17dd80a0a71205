import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

const references = (text: string): string => text.replace(/\$(\w+)/g, '$${env:$1}');

describe('a plan without secrets', () => {
  const file = join(temporaryFolder(), 'realm.yaml');
  const variables = join(temporaryFolder(), 'variables.env');
  const write = (text: string) => writeFileSync(file, references(text));
  const realm = (reference = '$SHOP_SECRET') => `realm: planned
displayName: $TITLE
enabled: "$ENABLED"
clients: [{ clientId: shop, secret: "${reference}", redirectUris: ["https://$SHOP_HOST/*"] }]
identityProviders: [{ alias: partner, providerId: oidc, config: { clientId: a, clientSecret: "$PARTNER_SECRET" } }]
`;
  const secrets = { SHOP_SECRET: 'secret of the shop', PARTNER_SECRET: 'secret of the partner', ENABLED: 'true' };
  let admin: Caller;
  let run: (args: string[], env?: Record<string, string>) => ReturnType<typeof realmgate>;

  beforeAll(async () => {
    const databaseUrl = await preparedDatabaseUrl();
    ({ admin } = await startWithRealm({ realm: 'planned', enabled: true }, { databaseUrl }));
    run = (args, env = {}) =>
      realmgate([...args, file, '--variables', variables], { DATABASE_URL: databaseUrl, ...env });
    writeFileSync(variables, 'TITLE=Shops\nSHOP_HOST=shop.example\n');
  });

  const clientSecret = async (): Promise<unknown> => {
    const [client] = (await admin.send('GET', '/planned/clients?clientId=shop')).body;
    return (await admin.send('GET', `/planned/clients/${client.id}/client-secret`)).body.value;
  };
  const planned = async (): Promise<{ output: string; digest: string }> => {
    const { output, errors } = await run(['plan', '--without-secrets']);
    expect(errors).toBe('');
    return { output, digest: /^digest (\S+)$/m.exec(output)?.[1] ?? '' };
  };

  it('states which values are unknown, and is applied with them by its digest', async () => {
    write(realm());
    expect(await run(['validate', '--without-secrets'])).toMatchObject({ status: 0, output: '1 file: valid\n' });
    const { output, digest } = await planned();
    expect(output).toContain(references('    secret: (unknown until applied: $SHOP_SECRET) (secret)\n'));
    expect(output).toContain('    redirectUris: ["https://shop.example/*"]\n');
    expect(output).toContain('displayName: absent → "Shops"\n');
    expect(output).toContain(
      references('Unknown until applied, and not compared: $ENABLED, $SHOP_SECRET, $PARTNER_SECRET.\n'),
    );

    write(realm('$OTHER_SECRET'));
    const other = await run(['apply', '--digest', digest], { ...secrets, OTHER_SECRET: 'another secret' });
    expect(other).toMatchObject({ status: 1, errors: expect.stringContaining('review the new plan') });
    write(realm());
    expect(await run(['apply', '--digest', digest])).toMatchObject({
      status: 1,
      errors: expect.stringContaining('The environment variable SHOP_SECRET is not set'),
    });
    // what was known when the plan was made stays what it was
    const applied = await run(['apply', '--digest', digest], { ...secrets, SHOP_HOST: 'elsewhere.example' });
    expect(applied).toMatchObject({
      status: 0,
      errors: '',
      output: expect.stringContaining('Applied: 2 created, 1 updated, 0 deleted.'),
    });
    expect(applied.output).not.toContain('secret of');
    expect(await clientSecret()).toBe(secrets.SHOP_SECRET);
    const [{ redirectUris }] = (await admin.send('GET', '/planned/clients?clientId=shop')).body;
    expect(redirectUris).toEqual(['https://shop.example/*']);
    expect(await run(['plan'], secrets)).toMatchObject({
      status: 0,
      output: '0 to create, 0 to update, 0 to delete.\n',
    });
  });

  it('has no change for a new secret, which its digest applies', async () => {
    const { output, digest } = await planned();
    expect(output).toContain('0 to create, 0 to update, 0 to delete.\n');
    const applied = await run(['apply', '--digest', digest], { ...secrets, SHOP_SECRET: 'the next secret' });
    expect(applied).toMatchObject({ status: 0, output: expect.stringContaining('Applied: 0 created, 1 updated') });
    expect(await clientSecret()).toBe('the next secret');
  });

  it('must know names, and refuses what is wrong beside the unknown values', async () => {
    write(`realm: planned
clients: [{ clientId: "$NAME", redirectUris: ["$ADDRESS"] }, { clientId: web, redirectUris: ["javascript:alert(1)"] }]
`);
    expect((await run(['plan', '--without-secrets'])).errors).toContain(
      'names an object, so that a plan without secrets must know it: set the variable in the file of --variables',
    );
    writeFileSync(variables, 'NAME=shop\n');
    const { status, errors } = await run(['plan', '--without-secrets']);
    expect(status).toBe(1);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringContaining('`clients[web].redirectUris[0]`: A redirect URI uses an illegal scheme'),
    ]);
  });

  it('is refused over REST for a path that leads to nothing', async () => {
    const unknownValues = [{ path: ['clients', '1', 'secret'], reference: 'x' }];
    const { status, body } = await admin.send('POST', '/planned/plan', { desired: { clients: [] }, unknownValues });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { faults: [{ path: ['unknownValues', '0', 'path'], message: expect.stringContaining('`path` must be') }] },
    });
  });
});
