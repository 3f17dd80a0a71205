import type { Prisma } from '../../generated/sqlite/client.js';
import type { ClientTarget } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import type { Target } from '../core/target.js';
import type { GlobalRequestResult } from '../sessions/deliver.js';
import type { ManagedClient } from '../sessions/management-address.js';
import {
  type Concerned,
  concernedBy,
  managedClients,
  type Sender,
  tellOfLogoutOfAll,
  tellOfRevocation,
} from '../sessions/notifications.js';
import { deleteSessions, usersWithSessions } from '../sessions/store.js';

/** Providers of required actions in which a user sets up a credential. */
const registrators = [
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'webauthn-register',
  'webauthn-register-passwordless',
];

export const credentialRegistrators = read({
  name: 'realm.credentialRegistrators',
  summary: 'Returns the enabled required actions that set up a credential.',
  allow: 'view:realm',
  run: async (ctx, { realm }: Target): Promise<string[]> => {
    const actions = await ctx.db.requiredAction.findMany({
      where: { realmId: realm.id, enabled: true, providerId: { in: registrators } },
      select: { providerId: true },
      orderBy: [{ priority: 'asc' }, { alias: 'asc' }],
    });
    return actions.map(({ providerId }) => providerId);
  },
});

const clearing = (name: string, path: string, summary: string, forgotten: (realmId: string) => string[]) =>
  write({
    name,
    summary,
    allow: 'manage:realm',
    run: async (_tx, _target: Target) => undefined,
    event: () => ({ operationType: 'ACTION', resourceType: 'REALM', resourcePath: path }),
    touches: (_result, { realm }) => forgotten(realm.id),
  });

export const clearRealmCache = clearing(
  'realm.clearCache',
  'clear-realm-cache',
  'Clears the caches of all server instances for the realm and its roles.',
  (id) => [`realm:${id}`, 'rights'],
);
export const clearUserCache = clearing(
  'realm.clearUserCache',
  'clear-user-cache',
  'Clears the caches of all server instances for the permissions of users.',
  () => ['rights'],
);
export const clearKeysCache = clearing(
  'realm.clearKeysCache',
  'clear-keys-cache',
  'Clears the caches of all server instances for the keys of the realm.',
  (id) => [`keys:${id}`],
);

/** The notified clients. `run` fills the clients to notify; the results are filled after the commit. */
export interface Told extends GlobalRequestResult {
  clients: ManagedClient[];
  concerned: Concerned[];
  /** seconds since 1970 */
  notBefore: number;
}

const senderOf = ({ services, baseUrl }: Context): Sender => ({ ...services, baseUrl });

const action = (resourcePath: string, resourceType = 'REALM') => ({
  operationType: 'ACTION' as const,
  resourceType,
  resourcePath,
});

export const logoutAll = write({
  name: 'realm.logoutAll',
  summary:
    'Ends all sessions of a realm and revokes every token issued until now. Returns which clients were notified.',
  allow: 'manage:users',
  actsOn: ({ realm }: Target) => usersWithSessions(realm.id),
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  run: async (tx, { realm }, _input, { ctx }): Promise<Told> => {
    // read again behind the lock, so that a concurrent change of other settings is not lost
    const { settings } = await tx.realm.findUniqueOrThrow({ where: { id: realm.id }, select: { settings: true } });
    const notBefore = Math.floor(ctx.services.now() / 1000);
    await tx.realm.updateMany({
      where: { id: realm.id },
      data: { settings: { ...(settings as Prisma.JsonObject), notBefore }, version: { increment: 1 } },
    });
    const clients = await managedClients(tx, realm.id);
    const ids = clients.map(({ id }) => id);
    const online = { realmId: realm.id, offline: false };
    const concerned = ids.length > 0 ? await concernedBy(tx, online, ids) : [];
    await deleteSessions(tx, realm.id);
    return { clients, concerned, notBefore };
  },
  event: () => action('logout-all'),
  touches: (_result, { realm }) => [`realm:${realm.id}`, `sessions:${realm.id}`],
  effect: async (ctx, told, { realm }) => {
    const { clients, concerned, notBefore } = told;
    Object.assign(told, await tellOfLogoutOfAll(senderOf(ctx), realm, clients, concerned, notBefore));
  },
});

export const pushRevocation = write({
  name: 'realm.pushRevocation',
  summary: 'Sends the revocation time of a realm to its clients. Returns which clients could not be notified.',
  allow: 'manage:realm',
  run: async (tx, { realm }: Target): Promise<Told> => ({
    clients: await managedClients(tx, realm.id),
    concerned: [],
    notBefore: Number(realm.settings.notBefore ?? 0),
  }),
  event: () => action('push-revocation'),
  touches: () => [],
  effect: pushed,
});

export const pushClientRevocation = write({
  name: 'client.pushRevocation',
  summary: 'Sends the revocation time to a client. Returns whether the client could be notified.',
  allow: 'configure:clients',
  run: async (tx, { realm, client }: ClientTarget): Promise<Told> => ({
    clients: (await managedClients(tx, realm.id)).filter(({ id }) => id === client.id),
    concerned: [],
    notBefore: (await tx.client.findUnique({ where: { id: client.id }, select: { notBefore: true } }))?.notBefore ?? 0,
  }),
  event: (_told, { client }) => action(`clients/${client.id}/push-revocation`, 'CLIENT'),
  touches: () => [],
  effect: pushed,
});

async function pushed(ctx: Context, told: Told, { realm }: Target): Promise<void> {
  Object.assign(told, await tellOfRevocation(senderOf(ctx), realm, told.clients, told.notBefore));
}
