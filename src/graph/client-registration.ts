import * as access from '../services/client-registration/initial-access.js';
import { builder } from './builder.js';
import { connectionType, pageArgs, related } from './connection.js';
import { mutation } from './mutation.js';
import { guardNode, locatedNode } from './node.js';
import { realmTarget } from './realm-mutations.js';
import { Realm } from './realms.js';

const ClientInitialAccess = builder.prismaNode('ClientInitialAccess', {
  id: { field: 'id' },
  select: { id: true, realmId: true, timestamp: true, expiration: true, count: true, remainingCount: true },
  description: 'A token with which clients may register themselves. The token itself is told once, when it is made.',
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      resolve: ({ timestamp }) => new Date(timestamp * 1000),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it stops being good; null for one that does not.',
      resolve: ({ timestamp, expiration }) => (expiration > 0 ? new Date((timestamp + expiration) * 1000) : null),
    }),
    count: t.exposeInt('count', { description: 'How many clients it was made for.' }),
    remainingCount: t.exposeInt('remainingCount', { description: 'How many more clients it is good for.' }),
  }),
});

guardNode('ClientInitialAccess', 'ClientInitialAccess', 'view:clients');

const ClientInitialAccessConnection = connectionType('ClientInitialAccess', ClientInitialAccess);

const ofRealm = related({
  parent: 'realm',
  relation: 'initialAccess',
  order: [{ path: 'timestamp' }, { path: 'id' }],
  door: 'view:clients',
});

builder.prismaObjectField(Realm, 'clientInitialAccess', (t) =>
  t.field({
    type: ClientInitialAccessConnection,
    nullable: true,
    description: 'The tokens with which clients may register themselves, oldest first. Takes view-clients.',
    args: pageArgs,
    ...(ofRealm as object),
  } as never),
);

mutation('clientInitialAccessCreate', {
  description: 'Makes a token with which clients may register themselves. The token is told this once.',
  operation: access.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    count: t.int({ description: 'How many clients it is good for; 1 unless told.' }),
    lifespan: t.int({ description: 'How many seconds it is good for; as long as it is there unless told.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: ({ count, lifespan }) => ({ count, expiration: lifespan }),
  fieldOf: (field) => (field === 'expiration' ? 'lifespan' : field),
  returns: {
    clientInitialAccess: {
      type: ClientInitialAccess,
      model: 'clientInitialAccess',
      description: 'What was made.',
      id: ({ id }) => id,
    },
  },
  values: { token: { type: 'String', description: 'The token.', of: ({ token }) => token } },
});

mutation('clientInitialAccessDelete', {
  description: 'Takes back a token with which clients may register themselves.',
  operation: access.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the token.' }) }),
  locate: (input, ctx) => locatedNode(ctx, String(input.id), 'id', 'ClientInitialAccess'),
  returns: {
    realm: { type: Realm, model: 'realm', description: 'The realm as it is now.', id: ({ realmId }) => realmId },
  },
});
