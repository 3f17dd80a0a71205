import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { synchroniseDue } from '../../src/services/user-storage/sync/periodic.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, manyPeople, person, personDn, storageFor, suffix, synchronise } from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

describe.skipIf(!hasSlapd)('a synchronisation', () => {
  let server: TestServer;
  let admin: Caller;
  let proxy: LdapProxy;

  const realmWith = async (realm: string, config: Record<string, string> = {}, more: object = {}) => {
    expect((await admin.send('POST', '/', { realm, enabled: true, ...more })).status).toBe(201);
    return storageFor(admin, realm, proxy.url, { connectionTimeout: '30000', readTimeout: '30000', ...config });
  };

  beforeAll(async () => {
    const nameless = `dn: cn=nameless,ou=people,${suffix}\nobjectClass: inetOrgPerson\ncn: nameless\nsn: x\n`;
    proxy = await proxyFor((await directoryWith([...manyPeople(3), person('taken'), nameless])).url);
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);
  beforeEach(() => proxy.heal());

  it.each(['triggerFullSync', 'triggerChangedUsersSync'])(
    'is ignored while another one goes on: %s',
    async (action) => {
      const realm = `twice-${action}`;
      const id = await realmWith(realm);
      const before = proxy.count('search');
      proxy.failAfter(0);
      const first = synchronise(admin, realm, id);
      await expect.poll(() => proxy.count('search'), { timeout: 20_000 }).toBeGreaterThan(before);
      const second = await synchronise(admin, realm, id, action);
      expect(second).toMatchObject({
        status: 200,
        body: {
          ignored: true,
          added: 0,
          updated: 0,
          removed: 0,
          failed: 0,
          status: "Synchronization ignored as it's already in progress",
        },
      });
      proxy.heal();
      expect((await first).body).toMatchObject({ ignored: false, added: 4, failed: 1 });
      expect((await synchronise(admin, realm, id, action)).body).toMatchObject({ ignored: false });
    },
    60_000,
  );

  it('names those who failed in the log, with the reason', async () => {
    const realm = 'logged';
    const users = [{ username: 'taken', enabled: true }];
    const id = await realmWith(realm, { fullSyncPeriod: '3600' }, { users });
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)));
        done();
      },
    });
    await synchroniseDue({ ...server.services, log: pino({ level: 'info' }, stream) });
    const failed = lines.filter(({ msg }) => msg === 'users of a directory failed to synchronise');
    expect(failed).toMatchObject([
      { realmId: expect.any(String), storage: 'directory', entries: [`cn=nameless,ou=people,${suffix}`] },
      {
        storage: 'directory',
        entries: [personDn('taken')],
        reason: 'the username or email address belongs to another user or is not allowed',
      },
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'users synchronised', added: 3, failed: 2 }));
    // a period has not passed since
    lines.length = 0;
    await synchroniseDue({ ...server.services, log: pino({ level: 'info' }, stream) });
    expect(lines).toEqual([]);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 0, updated: 3, failed: 2 });
  });
});
