import { read, type Write, write } from '../core/operation.js';
import { Refusal } from '../core/refusal.js';
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

export const clientSessionStats = read({
  name: 'session.stats',
  summary: 'Clients with sessions and how many. Sessions are not kept yet.',
  allow: 'view:realm',
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

/** Operations of the contract that this server does not perform yet: whoever may ask is told so. */
const pending = (name: string, summary: string, allow: 'manage:users' | 'manage:realm'): Write<Target, never, never> =>
  write({
    name,
    summary,
    allow,
    run: async () => {
      throw new Refusal('invalid', 'This server cannot do that yet', { status: 501 });
    },
    event: () => undefined,
    touches: () => [],
  });

export const logoutAll = pending('realm.logoutAll', 'Ends all sessions of a realm.', 'manage:users');
export const pushRevocation = pending('realm.pushRevocation', 'Tells clients to refuse older tokens.', 'manage:realm');
export const partialImport = pending('realm.partialImport', 'Adds resources to a realm.', 'manage:realm');
