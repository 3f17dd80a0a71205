import { beforeAll, describe, expect, it } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Two instances on one database, on a clock that tests can move.
let moved = 0;
const now = () => Date.now() + moved;
let servers: [TestServer, TestServer];
let admin: Caller;

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  servers = [await startServer({ databaseUrl }, now), await startServer({ databaseUrl }, now)];
  admin = await administrator(servers[0]);
});

const guarded = {
  bruteForceProtected: true,
  failureFactor: 3,
  waitIncrementSeconds: 60,
  maxFailureWaitSeconds: 900,
  maxDeltaTimeSeconds: 43_200,
  quickLoginCheckMilliSeconds: 0,
  eventsEnabled: true,
  adminEventsEnabled: true,
};

async function makeRealm(realm: string, settings: object = {}): Promise<string> {
  const users = [
    { username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'right' }] },
    {
      username: 'helper',
      enabled: true,
      credentials: [{ type: 'password', value: 'right' }],
      clientRoles: { 'realm-management': ['view-users'] },
    },
  ];
  const made = await admin.send('POST', '/', { realm, enabled: true, ...guarded, ...settings, users });
  expect(made.status).toBe(201);
  return (await admin.send('GET', `/${realm}/users?username=ann`)).body[0].id;
}

const tryLogin = async (realm: string, password: string, at: 0 | 1 = 0, username = 'ann') => {
  const response = await fetch(`${servers[at].url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const status = async (realm: string, user: string) =>
  (await admin.send('GET', `/${realm}/attack-detection/brute-force/users/${user}`)).body;
/** Moves the clock on; the token of the administrator does not live that long. */
const pass = async (seconds: number) => {
  moved += seconds * 1000;
  admin = await administrator(servers[0]);
};
const refused = {
  status: 401,
  body: { error: 'invalid_grant', error_description: 'Invalid user credentials' },
};

describe('wrong passwords that come at the same moment through two instances', () => {
  it('are all counted, each with its event', async () => {
    const ann = await makeRealm('crowd', { failureFactor: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => tryLogin('crowd', `wrong-${at}`, (at % 2) as 0 | 1)),
    );
    expect(answers).toEqual(Array(50).fill(refused));
    expect(await status('crowd', ann)).toMatchObject({ numFailures: 50, disabled: false });
    const { body } = await admin.send('GET', '/crowd/events?type=LOGIN_ERROR&max=1000');
    expect(body).toHaveLength(50);
  });

  it('lock the user on both, and the right password among them is not told from the others', async () => {
    const ann = await makeRealm('guessed');
    await Promise.all(Array.from({ length: 20 }, (_, at) => tryLogin('guessed', `wrong-${at}`, (at % 2) as 0 | 1)));
    expect(await tryLogin('guessed', 'right', 0)).toEqual(refused);
    expect(await tryLogin('guessed', 'right', 1)).toEqual(refused);
    expect(await status('guessed', ann)).toMatchObject({ numFailures: 22, disabled: true });
    const { body } = await admin.send('GET', '/guessed/events?type=LOGIN_ERROR&max=1');
    expect(body).toMatchObject([{ error: 'user_temporarily_disabled', userId: ann }]);
  });

  it('disable the user once where the lockout is for good, and that is heard everywhere', async () => {
    const ann = await makeRealm('strict', { permanentLockout: true });
    const token = (await tryLogin('strict', 'right', 1)).body.access_token as string;
    const elsewhere = callerWith(servers[1], token);
    const mayEnter = async () => (await elsewhere.send('GET', '/strict/users')).status;
    expect(await mayEnter()).toBe(403);
    await Promise.all(Array.from({ length: 10 }, (_, at) => tryLogin('strict', `wrong-${at}`, (at % 2) as 0 | 1)));
    const { body } = await admin.send('GET', `/strict/users/${ann}`);
    expect(body).toMatchObject({ enabled: false, attributes: { disabledReason: ['permanentLockout'] } });
    expect(await tryLogin('strict', 'right')).toEqual(refused);
    await expect.poll(mayEnter, { timeout: 5000, interval: 50 }).toBe(401);
    expect((await admin.send('PUT', `/strict/users/${ann}`, { enabled: true })).status).toBe(204);
    expect((await tryLogin('strict', 'right', 1)).status).toBe(200);
    const after = (await admin.send('GET', `/strict/users/${ann}`)).body;
    expect(after.enabled).toBe(true);
    expect(after.attributes).toBeUndefined();
  });
});

describe('a lock', () => {
  it('ends with its time, grows with more failures, and counting starts again after a day without', async () => {
    const ann = await makeRealm('timed');
    for (const password of ['a', 'b', 'c']) await tryLogin('timed', password);
    expect(await tryLogin('timed', 'right')).toEqual(refused);
    await pass(61);
    expect(await status('timed', ann)).toMatchObject({ disabled: false, numFailures: 4 });
    for (const password of ['d', 'e']) await tryLogin('timed', password);
    await pass(61);
    expect(await status('timed', ann)).toMatchObject({ disabled: true, numFailures: 6 });
    await pass(60);
    expect((await tryLogin('timed', 'right')).status).toBe(200);
    expect(await status('timed', ann)).toEqual({ disabled: false, numFailures: 0, lastFailure: 0 });
    for (const password of ['f', 'g']) await tryLogin('timed', password);
    await pass(86_400);
    await tryLogin('timed', 'h');
    expect(await status('timed', ann)).toMatchObject({ disabled: false, numFailures: 1 });
  });

  it('shows nothing of itself to who may not see users, and is lifted only by who may manage them', async () => {
    const ann = await makeRealm('private', { failureFactor: 1 });
    const helper = await userOf(servers[0], 'private', 'helper', 'right');
    const path = '/private/attack-detection/brute-force/users';
    await tryLogin('private', 'wrong');
    expect((await helper.send('GET', `${path}/${ann}`)).body).toMatchObject({ disabled: true });
    expect((await helper.send('DELETE', `${path}/${ann}`)).status).toBe(403);
    expect((await helper.send('DELETE', path)).status).toBe(403);
    expect((await admin.send('DELETE', `${path}/${ann}`)).status).toBe(204);
    expect((await admin.send('DELETE', `${path}/${ann}`)).status).toBe(204);
    expect((await tryLogin('private', 'right')).status).toBe(200);
    const { body } = await admin.send('GET', '/private/admin-events?resourceTypes=USER_LOGIN_FAILURE');
    expect(body).toMatchObject([
      { operationType: 'DELETE', resourcePath: `attack-detection/brute-force/users/${ann}` },
    ]);
  });

  it('of a user in another realm is out of reach', async () => {
    const ann = await makeRealm('near', { failureFactor: 1 });
    await makeRealm('far');
    await tryLogin('near', 'wrong');
    expect(await status('far', ann)).toMatchObject({ disabled: false, numFailures: 0, lastIPFailure: 'n/a' });
    await admin.send('DELETE', `/far/attack-detection/brute-force/users/${ann}`);
    await admin.send('DELETE', '/far/attack-detection/brute-force/users');
    expect(await status('near', ann)).toMatchObject({ disabled: true, numFailures: 1 });
  });
});
