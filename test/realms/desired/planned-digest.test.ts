import { beforeAll, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// What an apply makes at random, such as hashes and secrets, is not in the digest: the plan that was reviewed is the one that is applied.
const realm = 'digested';
let admin: Caller;

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm, enabled: true }));
});

const files: Record<string, object> = {
  'a password in plain text': {
    users: [{ username: 'ann', credentials: [{ type: 'password', value: 'plain-password' }] }],
  },
  'a temporary password': {
    users: [{ username: 'bob', credentials: [{ type: 'password', value: 'plain-password', temporary: true }] }],
  },
  'a webhook without a secret': { webhooks: [{ name: 'audit', url: 'https://hooks.example/in' }] },
  'a client with a new secret': { clients: [{ clientId: 'shop', secretVersion: 1, serviceAccountsEnabled: true }] },
  'authorization services': { clients: [{ clientId: 'api', authorizationServicesEnabled: true }] },
  'a key provider': {
    components: { 'org.keycloak.keys.KeyProvider': [{ name: 'hmac', providerId: 'hmac-generated', config: {} }] },
  },
};

it.each(Object.entries(files))('A file with %s is applied by the digest of its plan', async (_name, desired) => {
  const kinds = ['users', 'webhooks', 'clients', 'components'];
  const input = { desired, modes: Object.fromEntries(kinds.map((kind) => [kind, 'KEEP'])) };
  const planned = await admin.send('POST', `/admin/realms/${realm}/plan`, input);
  const expectedDigest = planned.body.digest;
  const applied = await admin.send('POST', `/admin/realms/${realm}/apply`, { ...input, expectedDigest });
  expect(applied).toMatchObject({ status: 200, body: { digest: expectedDigest } });
  expect(planned.body.changes.length).toBeGreaterThan(0);
});
