import { perform } from '../../services/core/perform.js';
import { consoleRealm, type WhoAmI, whoAmI } from '../../services/whoami/operations.js';
import { builder } from '../core/builder.js';

const RealmAccess = builder.objectRef<{ realm: string; roles: string[] }>('RealmAccess').implement({
  description: 'Administration roles of the caller in one realm.',
  fields: (t) => ({
    realm: t.exposeString('realm', { description: 'Name of the realm.' }),
    roles: t.exposeStringList('roles', { description: "Names of the caller's administration roles in the realm." }),
  }),
});

const Viewer = builder.objectRef<WhoAmI>('Viewer').implement({
  description: 'The caller: the user to whom the bearer token was issued.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'ID of the user, as in the `sub` claim of tokens.' }),
    realm: t.exposeString('realm', { description: 'Name of the realm that the user belongs to.' }),
    displayName: t.exposeString('displayName', { description: 'Display name of the user.' }),
    locale: t.exposeString('locale', { description: "BCP 47 tag of the user's language." }),
    canCreateRealms: t.exposeBoolean('createRealm', { description: 'Whether the user may create realms.' }),
    realmAccess: t.field({
      type: [RealmAccess],
      description: 'Administration roles of the caller, by realm and ordered by name. Realms without any are left out.',
      resolve: ({ realm_access }) =>
        Object.entries(realm_access)
          .map(([realm, roles]) => ({ realm, roles }))
          .sort((one, other) => (one.realm < other.realm ? -1 : 1)),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller and its permissions.',
    resolve: (_root, _args, ctx) => perform(ctx, whoAmI, (at) => consoleRealm(at, at.caller.realmName)),
  }),
);
