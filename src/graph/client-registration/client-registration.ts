import { convert } from '../../services/client-registration/description.js';
import * as access from '../../services/client-registration/initial-access.js';
import { policyTypes } from '../../services/client-registration/policy-types.js';
import { perform } from '../../services/core/perform.js';
import { realmById } from '../../services/realms/locate.js';
import { TypeRef } from '../components/components.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, permitById } from '../core/node.js';
import { documentOf } from '../core/upload.js';
import { realmOfResult, realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

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
  permission: 'view:clients',
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

builder.prismaObjectFields(Realm, (t) => ({
  clientRegistrationPolicyTypes: t.field({
    type: [TypeRef],
    nullable: true,
    description: 'The kinds of policies that clients which register themselves can be held to. For administrators.',
    resolve: async ({ id }, _args, ctx) => {
      const realm = await realmById(ctx, id);
      return perform(ctx, policyTypes, async () => ({ realm }));
    },
  }),
  clientDescriptionConvert: t.field({
    type: 'JSON',
    nullable: true,
    description:
      'A client in the form of the REST contract, out of a document: a representation, metadata of OpenID Connect, or SAML metadata. Nothing is kept. Takes manage-clients.',
    args: {
      document: t.arg.string({ description: 'The document.' }),
      upload: t.arg({ type: 'Upload', description: 'Or a file with it.' }),
    },
    resolve: async ({ id }, args, ctx) => {
      const realm = await realmById(ctx, id);
      if (args.document == null && args.upload == null) {
        (await permitById(ctx, id)).require('manage:clients');
        return null;
      }
      return perform(
        ctx,
        convert,
        async () => ({ realm }),
        async () => ({ document: await documentOf(args, ctx) }),
      );
    },
  }),
}));

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
  returns: realmOfResult,
});
