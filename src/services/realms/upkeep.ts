import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { read, write } from '../core/operation.js';
import type { Target } from '../core/target.js';
import type { RealmSettings } from './representation.js';

export const clientPolicies = read({
  name: 'clientPolicies.get',
  summary: 'When which client profiles apply.',
  allow: 'view:realm',
  run: async (_ctx, { realm }: Target) => ({
    policies: (realm.settings as RealmSettings).clientPolicies?.policies ?? [],
  }),
});

export const clientProfiles = read({
  name: 'clientProfiles.get',
  summary: 'The client profiles of a realm: what clients have to fulfil.',
  allow: 'view:realm',
  run: async (_ctx, { realm }: Target) => ({
    profiles: (realm.settings as RealmSettings).clientProfiles?.profiles ?? [],
  }),
});

export const initialAccess = read({
  name: 'clientInitialAccess.list',
  summary: 'The tokens with which clients may register themselves. None can be made yet.',
  allow: 'view:clients',
  run: async (_ctx, _target: Target): Promise<unknown[]> => [],
});

/** Providers of required actions in which a user sets up a credential. */
const registrators = ['CONFIGURE_TOTP', 'webauthn-register', 'webauthn-register-passwordless'];

export const credentialRegistrators = read({
  name: 'realm.credentialRegistrators',
  summary: 'The enabled required actions in which users set up credentials.',
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
  'Has every instance read the realm and its roles anew.',
  (id) => [`realm:${id}`, 'rights'],
);
export const clearUserCache = clearing(
  'realm.clearUserCache',
  'clear-user-cache',
  'Has every instance read the rights of users anew.',
  () => ['rights'],
);
export const clearKeysCache = clearing(
  'realm.clearKeysCache',
  'clear-keys-cache',
  'Has every instance read the keys of the realm anew.',
  (id) => [`keys:${id}`],
);

/** Admin addresses of clients that could not be told. Without any it is empty, as recorded. */
export interface GlobalRequestResult {
  failedRequests?: string[];
}

/** The clients with an admin address. This server does not send anything there yet, so none of them has been told. */
async function untold(tx: Db, realmId: string): Promise<GlobalRequestResult> {
  const clients = await tx.client.findMany({
    where: { realmId, AND: [{ adminUrl: { not: null } }, { adminUrl: { not: '' } }] },
    select: { rootUrl: true, adminUrl: true },
    orderBy: { clientId: 'asc' },
  });
  const failedRequests = clients.map(({ rootUrl, adminUrl }) =>
    adminUrl?.startsWith('/') ? `${rootUrl ?? ''}${adminUrl}` : (adminUrl ?? ''),
  );
  return failedRequests.length > 0 ? { failedRequests } : {};
}

export const logoutAll = write({
  name: 'realm.logoutAll',
  summary:
    'Ends all sessions, and has every token that the realm issued until now refused. Answers which clients were told.',
  allow: 'manage:users',
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  run: async (tx, { realm }, _input, { ctx }): Promise<GlobalRequestResult> => {
    // read again behind the lock: a concurrent change of other settings must not be lost
    const { settings } = await tx.realm.findUniqueOrThrow({ where: { id: realm.id }, select: { settings: true } });
    const notBefore = Math.floor(ctx.services.now() / 1000);
    await tx.realm.updateMany({
      where: { id: realm.id },
      data: { settings: { ...(settings as Prisma.JsonObject), notBefore }, version: { increment: 1 } },
    });
    await tx.userSession.deleteMany({ where: { realmId: realm.id, offline: false } });
    return untold(tx, realm.id);
  },
  event: (representation) => ({
    operationType: 'ACTION',
    resourceType: 'REALM',
    resourcePath: 'logout-all',
    representation,
  }),
  touches: (_result, { realm }) => [`realm:${realm.id}`],
});

export const pushRevocation = write({
  name: 'realm.pushRevocation',
  summary: 'Tells clients since when tokens of the realm are good. Answers which of them could not be told.',
  allow: 'manage:realm',
  run: (tx, { realm }: Target): Promise<GlobalRequestResult> => untold(tx, realm.id),
  event: (representation) => ({
    operationType: 'ACTION',
    resourceType: 'REALM',
    resourcePath: 'push-revocation',
    representation,
  }),
  touches: () => [],
});
