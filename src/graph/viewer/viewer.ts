import { perform } from '../../services/core/perform.js';
import { consoleRealm, type WhoAmI, whoAmI } from '../../services/whoami/operations.js';
import { builder } from '../core/builder.js';

const RealmAccess = builder.objectRef<{ realm: string; roles: string[] }>('RealmAccess').implement({
  description: 'What the caller may do in one realm.',
  fields: (t) => ({
    realm: t.exposeString('realm', { description: 'Name of the realm.' }),
    roles: t.exposeStringList('roles', { description: 'The administration roles of the caller there.' }),
  }),
});

const Viewer = builder.objectRef<WhoAmI>('Viewer').implement({
  description: 'The caller.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Id of the user in the realm, as tokens have it.' }),
    realm: t.exposeString('realm', { description: 'Name of the realm that the user belongs to.' }),
    displayName: t.exposeString('displayName', { description: 'Name for people.' }),
    locale: t.exposeString('locale', { description: 'BCP 47 tag of the language that the user reads.' }),
    canCreateRealms: t.exposeBoolean('createRealm', { description: 'Whether the user may create realms.' }),
    realmAccess: t.field({
      type: [RealmAccess],
      description: 'The administration roles by realm, by name; realms without any are left out.',
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
    description: 'The caller, with what the token says and allows.',
    resolve: (_root, _args, ctx) => perform(ctx, whoAmI, (at) => consoleRealm(at, at.caller.realmName)),
  }),
);
