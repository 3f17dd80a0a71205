// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// All users of a plan are in memory: more than a process can hold are refused before they are read.
const realm = 'crowd';
const most = 100_000;
let admin: Caller;

beforeAll(async () => {
  const { server, admin: caller } = await startWithRealm({ realm, enabled: true });
  admin = caller;
  const { id: realmId } = (await admin.send('GET', `/${realm}`)).body;
  for (let from = 0; from <= most; from += 10_000) {
    const names = Array.from({ length: Math.min(10_000, most + 1 - from) }, (_, index) => `user-${from + index}`);
    const data = names.map((username) => ({ id: username, realmId, username, search: username }));
    await server.database.transaction((tx) => tx.user.createMany({ data }));
  }
});

const plan = (users: object[], mode?: string) =>
  admin.send('POST', `/admin/realms/${realm}/plan`, { desired: { users }, ...(mode && { modes: { users: mode } }) });
const refusal = (whose: string) =>
  expect.objectContaining({
    errorMessage: `${whose} has more than 100,000 users, the most that a plan can compare: import them instead`,
  });

describe('a plan', () => {
  it('is refused for a file with too many users', async () => {
    const users = Array.from({ length: most + 1 }, (_, index) => ({ username: `user-${index}` }));
    const { status, body } = await plan(users);
    expect([status, body]).toEqual([400, refusal('The file')]);
  });

  it('is refused if it would read too many users of the realm, and made if it reads only those of the file', async () => {
    const users = [{ username: 'user-7', firstName: 'Ann' }];
    const { status, body } = await plan(users, 'FULL');
    expect([status, body]).toEqual([400, refusal('The realm')]);
    const kept = await plan(users);
    expect([kept.status, kept.body.summary.update]).toEqual([200, 1]);
  });
});
