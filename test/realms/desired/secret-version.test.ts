import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// A file makes a new secret of a client by a higher `secretVersion`.
const realm = 'versions';
let admin: Caller;
let id: string;
let realmId: string;

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    clients: [
      { clientId: 'shop', secret: 'as-imported' },
      { clientId: 'open', publicClient: true },
    ],
  }));
  id = (await admin.send('GET', `/${realm}/clients?clientId=shop`)).body[0].id;
  realmId = btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`);
});

const modes = { clients: 'KEEP' };
const file = (secretVersion: unknown, more: object = {}) => ({
  clients: [{ clientId: 'shop', secretVersion, ...more }],
});
const plan = async (desired: object) => (await admin.send('POST', `/${realm}/plan`, { desired, modes })).body;
const apply = async (desired: object) => {
  const { status, body } = await admin.send('POST', `/${realm}/apply`, { desired, modes });
  expect([status, body.errorMessage]).toEqual([200, undefined]);
  return body;
};
const secret = async (): Promise<string> =>
  (await admin.send('GET', `/${realm}/clients/${id}/client-secret`)).body.value;
const generated = expect.stringMatching(/^[A-Za-z0-9]{32}$/);

describe('a higher version of a secret', () => {
  it('makes a new one, which the plan says without showing it, and the same version is no change', async () => {
    expect(await secret()).toBe('as-imported');
    const planned = await plan(file(1));
    expect(planned.changes).toMatchObject([{ action: 'UPDATE', kind: 'CLIENT', key: 'shop', reason: 'DIFFERS' }]);
    const fields = [
      { path: ['secret'], before: '**********', after: '**********', isSecret: true },
      { path: ['secretVersion'], before: 0, after: 1, isSecret: false },
    ];
    expect(planned.changes[0].fields).toEqual(expect.arrayContaining(fields));
    expect(planned.changes[0].fields).toHaveLength(2);
    // a plan writes nothing, and another one of the same file has the same digest
    expect(await secret()).toBe('as-imported');
    expect((await plan(file(1))).digest).toBe(planned.digest);
    await apply(file(1));
    const first = await secret();
    expect(first).toEqual(generated);
    expect((await plan(file(1))).changes).toEqual([]);
    await apply(file(1));
    expect(await secret()).toBe(first);
    await apply(file('2'));
    expect([await secret(), (await secret()) === first]).toEqual([generated, false]);
    expect((await admin.send('GET', `/${realm}/clients/${id}`)).body.secretVersion).toBe(2);
  });

  it('makes the same over GraphQL', async () => {
    const before = await secret();
    const { data } = await admin.graphql<{ realmApply: Record<string, unknown> }>(
      `mutation ($input: RealmApplyInput!) {
        realmApply(input: $input) {
          userErrors { code message }
          plan { changes { edges { node { key fields { path before after isSecret } } } } }
        }
      }`,
      { input: { id: realmId, desired: { json: file(3) }, modes } },
    );
    const masked = '"**********"';
    expect(data.realmApply).toMatchObject({
      userErrors: [],
      plan: {
        changes: {
          edges: [
            {
              node: {
                key: 'shop',
                fields: expect.arrayContaining([
                  { path: ['secret'], before: masked, after: masked, isSecret: true },
                  { path: ['secretVersion'], before: '2', after: '3', isSecret: false },
                ]),
              },
            },
          ],
        },
      },
    });
    expect([await secret(), (await secret()) === before]).toEqual([generated, false]);
  });

  it('stays with a secret that the file gives, and a mask is none', async () => {
    await apply(file(4, { secret: 'of-the-file' }));
    expect(await secret()).toBe('of-the-file');
    await apply(file(5, { secret: '**********' }));
    expect(await secret()).toEqual(generated);
  });

  it('ends the time of a rotated secret, and a revert brings the one before back', async () => {
    const before = await secret();
    const rotated = await admin.graphql<{ clientRotateSecret: { userErrors: unknown[] } }>(
      'mutation ($id: ID!) { clientRotateSecret(input: { id: $id, gracePeriod: 600 }) { userErrors { message } } }',
      { id: btoa(`Client:${id}`) },
    );
    expect(rotated.data.clientRotateSecret.userErrors).toEqual([]);
    const present = await secret();
    await apply(file(6));
    const { data } = await admin.graphql<{ node: object }>(
      'query ($id: ID!) { node(id: $id) { ... on Client { previousSecretExpiresAt secretVersion } } }',
      { id: btoa(`Client:${id}`) },
    );
    expect(data.node).toEqual({ previousSecretExpiresAt: null, secretVersion: 6 });
    const [{ id: last }] = (await admin.send('GET', `/${realm}/applies?max=1`)).body;
    expect((await admin.send('POST', `/${realm}/applies/${last}/revert`, {})).status).toBe(200);
    expect([await secret(), present === before]).toEqual([present, false]);
    expect((await plan(file(5))).changes).toEqual([]);
  });

  it('goes with an export and what others write', async () => {
    const exported = (await admin.send('GET', `/admin/realms/${realm}/export?secrets=true`)).body;
    const { clients } = exported as { clients: { clientId: string; secretVersion?: number }[] };
    expect(
      clients.flatMap(({ clientId, secretVersion }) => (secretVersion ? [[clientId, secretVersion]] : [])),
    ).toEqual([['shop', 5]]);
    const { secretVersion: _, ...client } = (await admin.send('GET', `/${realm}/clients/${id}`)).body;
    expect((await admin.send('PUT', `/${realm}/clients/${id}`, client)).status).toBe(204);
    expect((await plan(file(5))).changes).toEqual([]);
    const { id: _id, realm: _realm, ...copy } = exported;
    const isId = (name: string) =>
      ['id', 'containerId', 'internalId', 'authenticationFlowBindingOverrides'].includes(name);
    const withoutIds = JSON.stringify(copy, (name, value) => (isId(name) ? undefined : value));
    const made = await admin.send('POST', '/admin/realms', { ...JSON.parse(withoutIds), realm: 'copied' });
    expect([made.status, made.body]).toEqual([201, '']);
    const again = await admin.send('POST', '/copied/plan', { desired: file(5), modes });
    expect([again.status, again.body.changes]).toEqual([200, []]);
  });
});

describe('a version that has no effect', () => {
  it('is warned of: a lower one, and that of a client without a secret', async () => {
    const before = await secret();
    const lower = await apply(file(1));
    expect([lower.changes, lower.warnings]).toEqual([
      [],
      ['`clients[shop].secretVersion` is lower than that of the client, which is 5: its secret stays.'],
    ]);
    expect(await secret()).toBe(before);
    const open = await plan({ clients: [{ clientId: 'open', secretVersion: 1 }] });
    expect(open.warnings).toEqual(['`clients[open].secretVersion` has no effect: the client has no secret.']);
  });

  it('is refused if it is no number, with its place', async () => {
    for (const version of [-1, 'new', [1]]) {
      const { status, body } = await admin.send('POST', `/${realm}/plan`, { desired: file(version), modes });
      expect([version, status]).toEqual([version, 400]);
      expect(body.errorMessage).toContain('secretVersion');
    }
  });
});
