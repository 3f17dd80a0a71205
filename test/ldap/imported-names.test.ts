import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, person, storageFor, suffix, synchronise } from './directory.js';

/** User names of a directory that the realm's own users cannot have, next to the administrators `cop` and `root`. */
const refused: Record<string, string> = {
  'a letter of another script': 'rоot',
  'letters of another script only': 'сор',
  'a mark that nobody sees': 'ro\u200bot',
  'a change of direction': 'toor\u202e',
  'a control character': 'ro\u0007ot',
  'a NUL': 'ro\0ot',
  'too many characters': 'r'.repeat(256),
  'too many blanks': `r${' '.repeat(3000)}t`,
  'nothing but blanks': '   ',
};
const welcome = ['иван', 'änne', '山田', 'plain'];

describe.skipIf(!hasSlapd).each(['true', 'false'])('names that nobody may have, imports: %s', (importEnabled) => {
  let server: TestServer;
  let admin: Caller;
  let url: string;

  const realmWith = async (realm: string) => {
    const users = ['cop', 'root'].map((username) => ({ username, enabled: true }));
    const name = `${realm}-${importEnabled}`;
    expect((await admin.send('POST', '/', { realm: name, enabled: true, users })).status).toBe(201);
    return { realm: name, storage: await storageFor(admin, name, url, { importEnabled }) };
  };
  const count = async (realm: string): Promise<number> => (await admin.send('GET', `/${realm}/users/count`)).body;
  const tokenFor = (realm: string, username: string) =>
    fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password: 'secret' }),
    });

  beforeAll(async () => {
    const people = [...Object.values(refused), ...welcome].map((name, at) =>
      person(name, {
        dn: `cn=number ${at},ou=people,${suffix}`,
        firstName: `number ${at}`,
        email: `number${at}@example.org`,
        password: 'secret',
      }),
    );
    url = (await directoryWith(people)).url;
    server = await startServer({ failuresAddress: 0, failuresAccount: 0 });
    admin = await administrator(server);
  }, 60_000);

  it('are unknown in logins', async () => {
    const { realm } = await realmWith('logins');
    const unknown = await tokenFor(realm, 'nobody');
    const answer = [unknown.status, await unknown.json()];
    for (const [at, [why, name]] of Object.entries(refused).entries()) {
      for (const typed of [name, `number${at}@example.org`]) {
        const response = await tokenFor(realm, typed);
        // the token endpoint refuses what is no text before it looks for a user
        if (typed.includes('\0')) expect([why, response.status < 500 && !response.ok]).toEqual([why, true]);
        else expect([why, response.status, await response.json()]).toEqual([why, ...answer]);
      }
    }
    expect(await count(realm)).toBe(2);
    for (const name of welcome) expect(await login(server, realm, name, 'secret')).toBeTruthy();
  });

  it('are left out of what a search finds', async () => {
    const { realm } = await realmWith('searched');
    const { status, body } = await admin.send('GET', `/${realm}/users?search=number`);
    expect(status).toBe(200);
    expect(body.map(({ username }: { username: string }) => username).toSorted()).toEqual(welcome.toSorted());
  });

  it.runIf(importEnabled === 'true')('fail in a synchronisation, and again in the next', async () => {
    const { realm, storage } = await realmWith('synchronised');
    const failed = Object.keys(refused).length;
    expect((await synchronise(admin, realm, storage)).body).toMatchObject({ added: welcome.length, failed });
    expect((await synchronise(admin, realm, storage)).body).toMatchObject({
      added: 0,
      updated: welcome.length,
      failed,
    });
    expect(await count(realm)).toBe(2 + welcome.length);
  });
});
