// @both-databases
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { synchroniseDue } from '../../src/services/user-storage/sync/periodic.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  groupDn,
  hasSlapd,
  mapperFor,
  person,
  personDn,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';

const links = 5000;
/** Links whose path is not longer than 2000 bytes: each adds ten. */
const fitting = 200;
const link = (at: number) => `link-${String(at).padStart(4, '0')}`;

/** A group that the mapper knows by its description, whatever that is. */
const described = (name: string, description: string, members: readonly string[]): string =>
  `${group(name, members)}description:: ${Buffer.from(description).toString('base64')}\n`;

const odd = {
  nul: 'nul\0byte',
  long: 'l'.repeat(256),
};

describe.skipIf(!hasSlapd)('groups of a directory that cannot be stored', () => {
  let server: TestServer;
  let admin: Caller;
  let url: string;

  const realmWith = async (
    realm: string,
    kind: 'group' | 'role',
    filter: string,
    more: Record<string, string> = {},
  ) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const storage = await storageFor(admin, realm, url, { fullSyncPeriod: '3600' });
    const mapper = await mapperFor(admin, realm, storage, `${kind}-ldap-mapper`, {
      [`${kind}s.dn`]: `ou=groups,${suffix}`,
      [`${kind}s.ldap.filter`]: filter,
      [`${kind}.name.ldap.attribute`]: 'description',
      ...(kind === 'role' && { 'use.realm.roles.mapping': 'true' }),
      mode: 'READ_ONLY',
      ...more,
    });
    const sync = () =>
      admin.send('POST', `/${realm}/user-storage/${storage}/mappers/${mapper}/sync?direction=fedToService`);
    return { storage, sync };
  };
  const groupsOf = async (realm: string, username: string): Promise<string[]> => {
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=${username}&exact=true`)).body;
    const { body } = await admin.send('GET', `/${realm}/users/${id}/groups`);
    return body.map(({ name }: { name: string }) => name);
  };

  beforeAll(async () => {
    const anna = personDn('anna');
    // the innermost first
    const chain = Array.from({ length: links }, (_, at) => links - 1 - at).map((at) =>
      described(link(at), link(at), [at === links - 1 ? anna : groupDn(link(at + 1)), ...(at === 5 ? [anna] : [])]),
    );
    const slapd = await directoryWith([
      person('anna'),
      ...chain,
      described('odd-plain', 'plain', [anna]),
      ...Object.entries(odd).map(([name, description]) => described(`odd-${name}`, description, [anna])),
      described('odd-inner', 'inner', [anna]),
      described('odd-nul-outer', 'outer\0', [groupDn('odd-inner')]),
      `${described('odd-attribute', 'attribute', [anna])}businessCategory:: ${Buffer.from('a\0b').toString('base64')}\n`,
    ]);
    url = slapd.url;
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);

  it('are left out of a chain of thousands from the first whose path is too long', async () => {
    const { storage, sync } = await realmWith('chain', 'group', '(cn=link-*)');
    expect((await sync()).body).toMatchObject({ added: fitting, failed: links - fitting });
    expect((await admin.send('GET', '/chain/groups/count')).body).toEqual({ count: fitting });
    expect((await synchronise(admin, 'chain', storage)).body).toMatchObject({ added: 1, failed: 0 });
    expect(await groupsOf('chain', 'anna')).toEqual([link(5)]);
    expect((await sync()).body).toMatchObject({ added: 0, updated: fitting, failed: links - fitting });
  });

  it('do not keep out who logs in', async () => {
    await realmWith('chained', 'group', '(cn=link-*)');
    expect(await login(server, 'chained', 'anna', 'anna')).toBeTruthy();
    expect(await groupsOf('chained', 'anna')).toEqual([link(5)]);
  });

  it('are those with long names and NUL, and those within them', async () => {
    const { storage, sync } = await realmWith('odd', 'group', '(cn=odd-*)', {
      'mapped.group.attributes': 'businessCategory',
    });
    expect(await login(server, 'odd', 'anna', 'anna')).toBeTruthy();
    // four of which one is within another one, and the group whose attribute is left out
    expect((await sync()).body).toMatchObject({ added: 0, updated: 2, failed: 5 });
    expect((await synchronise(admin, 'odd', storage)).body).toMatchObject({ failed: 0 });
    expect((await groupsOf('odd', 'anna')).toSorted()).toEqual(['attribute', 'plain']);
  });

  it('are not among roles either', async () => {
    const { sync } = await realmWith('roles', 'role', '(cn=odd-*)');
    expect(await login(server, 'roles', 'anna', 'anna')).toBeTruthy();
    expect((await sync()).body).toMatchObject({ added: 0, failed: 3 });
    expect((await admin.send('GET', '/roles/roles/plain')).status).toBe(200);
  });

  it('are named in the log of a synchronisation', async () => {
    await realmWith('logged', 'group', '(cn=odd-nul)');
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)));
        done();
      },
    });
    await synchroniseDue({ ...server.services, log: pino({ level: 'info' }, stream) });
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'groups of a directory failed to synchronise',
        storage: 'directory',
        mapper: 'group-ldap-mapper',
        entries: [groupDn('odd-nul')],
        count: 1,
      }),
    );
  });
});
