import { beforeAll, describe, expect, it } from 'vitest';
import type { PurposeName } from '../../src/services/keys/purpose.js';
import { storageComponent } from '../../tools/slapd.mjs';
import { startServer } from '../support/server.js';
import { kinds, openWorld, realm, type World } from './kinds.js';
import { places } from './places.js';

/** Tokens that stand for a user. */
const ofUsers: PurposeName[] = [
  'access',
  'refresh',
  'offline',
  'identity',
  'verify-email',
  'execute-actions',
  'reset-credentials',
];

/** Without logging out, which is open to everybody who has a session. */
const using = Object.entries(places).filter(([name]) => !name.startsWith('logout'));

describe('a token of a user whose storage is switched off', () => {
  let world: World;
  let storage = '';
  /** how far the clock of the server is ahead, in milliseconds */
  let ahead = 0;

  const component = (enabled: boolean) =>
    storageComponent('people', 'ldap://127.0.0.1:1', { enabled: String(enabled) });
  const turn = async (enabled: boolean) => {
    const path = `/admin/realms/${realm}/components/${storage}`;
    expect((await world.admin.send('PUT', path, component(enabled))).status).toBe(204);
    ahead += 1100;
  };
  const takenAt = async (token: string) => {
    const taken: string[] = [];
    for (const [name, { isTaken }] of using) if (await isTaken(world.server, token)) taken.push(name);
    return taken;
  };

  beforeAll(async () => {
    world = await openWorld(await startServer({ failuresAddress: 0, failuresAccount: 0 }, () => Date.now() + ahead));
    const { headers } = await world.admin.send('POST', `/admin/realms/${realm}/components`, component(true));
    storage = headers.get('location')?.split('/').at(-1) ?? '';
    // the password is one that is kept here, so that no directory has to be there
    await world.server.services.database.transaction((tx) =>
      tx.user.updateMany({ where: { id: world.boss.id }, data: { federationLink: storage } }),
    );
  }, 60_000);

  it.each(ofUsers)(
    'for %s is good nowhere, and good again when it is switched on',
    async (purpose) => {
      const token = await kinds[purpose](world);
      await turn(false);
      expect(await takenAt(token)).toEqual([]);
      await turn(true);
      expect(await takenAt(token)).not.toEqual([]);
    },
    60_000,
  );
});
