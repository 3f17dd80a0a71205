// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../../support/fixture.js';
import { startServer } from '../../support/server.js';

let admin: Caller;

const user = (username: string, more: object = {}) => ({
  username,
  enabled: true,
  email: `${username}@mail.example`,
  ...more,
});
const users = [user('anna'), user('ben'), user('carl', { attributes: { floor: ['1', '2'] } })];

beforeAll(async () => {
  admin = await administrator(await startServer());
  const file = { realm: 'many', enabled: true, groups: [{ name: 'staff' }], users };
  expect((await admin.send('POST', '/admin/realms', file)).status).toBe(201);
});

const plan = (desired: object) => admin.send('POST', '/admin/realms/many/plan', { desired });

describe('users of a file who do not change', () => {
  it('are counted, and do not hide the change of another', async () => {
    const all = (await plan({ users })).body.summary;
    expect(all).toMatchObject({ create: 0, update: 0, delete: 0 });
    const one = await plan({ users: [users[0], user('ben', { firstName: 'Benjamin' }), users[2]] });
    expect(one.body.summary).toEqual({ ...all, update: 1, unchanged: all.unchanged - 1 });
    expect(one.body.changes).toMatchObject([{ action: 'UPDATE', kind: 'USER', key: 'ben' }]);
  });

  it('keep their email addresses for themselves', async () => {
    const taken = await plan({ users: [users[0], user('ben', { email: 'Anna@mail.example' })] });
    expect([taken.status, taken.body.errorMessage]).toEqual([409, 'User with email anna@mail.example already exists.']);
  });

  it('are found by policies', async () => {
    const authorizationSettings = {
      policies: [{ name: 'only anna', type: 'user', config: { users: '["anna"]' } }],
    };
    const client = { clientId: 'shop', serviceAccountsEnabled: true, authorizationServicesEnabled: true };
    const planned = await plan({ users, clients: [{ ...client, authorizationSettings }] });
    expect([planned.status, planned.body.errorMessage]).toEqual([200, undefined]);
  });

  it('follow a group that is renamed', async () => {
    const join = { users: users.map((one) => ({ ...one, groups: ['/staff'] })) };
    const { body } = await admin.send('POST', '/admin/realms/many/apply', { desired: join });
    expect(body.summary.update).toBe(3);
    const renamed = await plan({ groups: [{ name: 'people', renamedFrom: 'staff' }] });
    expect(renamed.body.summary).toMatchObject({ create: 0, update: 1, delete: 0 });
    const both = await plan({
      groups: [{ name: 'people', renamedFrom: 'staff' }],
      users: users.map((one) => ({ ...one, groups: ['/people'] })),
    });
    expect(both.body.summary).toMatchObject({ create: 0, update: 1, delete: 0 });
  });
});
