import { randomBytes } from 'node:crypto';
import { databaseFault } from '../../database/errors.js';
import type { Services } from '../core/context.js';
import { decode } from '../core/shape.js';
import { inTransaction } from '../core/unit-of-work.js';
import { hashPassword } from '../credentials/hashing.js';
import { assembleRealm, newClientSecret } from './assemble/realm.js';
import { masterName, masterRealm } from './defaults/master.js';
import { RealmRepresentation } from './representation.js';
import { insertRealm } from './store.js';

/**
 * Creates the master realm with the first administrator if it is missing. Returns the administrator's password if it
 * was generated. If several instances start at once, one of them does it.
 */
export async function bootstrap(services: Services): Promise<{ generatedPassword?: string }> {
  const { config, database, sealer } = services;
  const there = await database.read.realm.findFirst({ where: { name: masterName }, select: { id: true } });
  if (there) return {};
  const password = config.adminPassword ?? randomBytes(12).toString('base64url');
  const hashed = await hashPassword(password);
  const input = decode(RealmRepresentation, {
    ...masterRealm,
    displayName: 'Realmgate',
    displayNameHtml: undefined,
    users: [
      {
        username: config.adminUsername,
        enabled: true,
        createdTimestamp: services.now(),
        credentials: [{ type: 'password', ...hashed }],
        realmRoles: ['admin', `default-roles-${masterName}`],
      },
    ],
  });
  const rows = await assembleRealm(input, {
    newId: services.newId,
    newSecret: newClientSecret,
    seal: sealer.seal,
    now: services.now(),
  });
  try {
    await inTransaction(database, (tx) => insertRealm(tx, rows));
  } catch (error) {
    if (databaseFault(error)?.kind === 'duplicate') return {};
    throw error;
  }
  return config.adminPassword === undefined ? { generatedPassword: password } : {};
}
