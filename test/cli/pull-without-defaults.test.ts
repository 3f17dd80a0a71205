import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

it('realmgate pull --without-defaults writes what makes the realm, and nothing else', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const { admin } = await startWithRealm(
    {
      realm: 'small',
      enabled: true,
      displayName: 'Small',
      roles: {
        realm: [{ name: 'seller', composite: true, composites: { realm: ['clerk'] } }, { name: 'clerk' }],
        client: { shop: [{ name: 'admin', description: 'Runs the shop' }] },
      },
      clients: [
        {
          clientId: 'shop',
          secret: 'secret of the shop',
          redirectUris: ['https://shop.example/*'],
          optionalClientScopes: ['phone'],
        },
        { clientId: 'job', serviceAccountsEnabled: true, secret: 'secret of the job', enabled: false },
        { clientId: 'plain', publicClient: true },
      ],
      groups: [{ name: 'staff', realmRoles: ['clerk'], subGroups: [{ name: 'night' }] }],
      identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'a', clientSecret: 'b' } }],
    },
    { databaseUrl },
  );
  const run = (...args: string[]) => realmgate(args, { DATABASE_URL: databaseUrl });
  const pulled = async (realm: string, ...more: string[]): Promise<string> => {
    const out = join(temporaryFolder(), 'realm.yaml');
    const { status, errors } = await run('pull', '--realm', realm, '--without-defaults', '--out', out, ...more);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    return out;
  };

  const file = await pulled('small');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}/);
  expect(text).toContain('  - clientId: plain\n    publicClient: true\n');
  expect(text).toContain(
    'groups:\n  - name: staff\n    realmRoles:\n      - clerk\n    subGroups:\n      - name: night\n',
  );
  expect(text).not.toMatch(/accessTokenLifespan|admin-cli|createdTimestamp|authenticationFlows|browserFlow/);
  const noChange = { status: 0, output: '0 to create, 0 to update, 0 to delete.\n', errors: '' };
  expect(await run('plan', file)).toMatchObject(noChange);

  await admin.send('POST', '/', { realm: 'other' });
  const applied = await run('apply', await pulled('small', '--secrets'), '--realm', 'other', '--yes', '--no-source');
  expect(applied).toMatchObject({ status: 0, errors: '' });
  const other = readFileSync(await pulled('other'), 'utf8');
  expect(other.replaceAll('other', 'small')).toBe(text);
});
