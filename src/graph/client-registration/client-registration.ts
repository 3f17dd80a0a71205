import { convert } from '../../services/client-registration/description.js';
import * as access from '../../services/client-registration/initial-access.js';
import { policyTypes } from '../../services/client-registration/policy-types.js';
import { perform } from '../../services/core/perform.js';
import { realmById } from '../../services/realms/locate.js';
import { TypeRef } from '../components/components.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { listType, onSeconds, whether } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { deletedIdOf, guardNode, locatedNode } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { within } from '../core/texts.js';
import { TextFileInput, textOf } from '../core/upload.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmOfResult, realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

export const ClientInitialAccess = builder.prismaNode('ClientInitialAccess', {
  id: { field: 'id' },
  select: { id: true, realmId: true, timestamp: true, expiration: true, count: true, remainingCount: true },
  description:
    'An initial access token, with which clients can register themselves. The token value is returned only at creation.',
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time at which the token was created.',
      resolve: ({ timestamp }) => new Date(timestamp * 1000),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the token expires. Null: it does not expire.',
      resolve: ({ timestamp, expiration }) => (expiration > 0 ? new Date((timestamp + expiration) * 1000) : null),
    }),
    count: t.exposeInt('count', {
      description: 'Number of clients that could be registered with the token when it was created.',
    }),
    remainingCount: t.exposeInt('remainingCount', {
      description: 'Number of clients that can still be registered with the token.',
    }),
  }),
});

guardNode(ClientInitialAccess, access.initialAccess);

relatedField(Realm, 'clientInitialAccesses', {
  relation: 'initialAccess',
  listing: access.initialAccess,
  connection: connectionType('ClientInitialAccess', ClientInitialAccess),
  list: listType({
    name: 'ClientInitialAccess',
    plural: 'initial access tokens',
    conditions: {
      createdAt: onSeconds('timestamp', 'Condition on the creation time.'),
      isUsedUp: whether(
        'Matches tokens with which no (true) or some (false) further client can be registered.',
        (is) => ({
          remainingCount: is ? 0 : { gt: 0 },
        }),
      ),
    },
    orders: { CREATED_AT: { path: 'timestamp', description: 'Order by creation time.' } },
  }),
  description: 'Initial access tokens of the realm, oldest first.',
});

builder.prismaObjectFields(Realm, (t) => ({
  clientRegistrationPolicyTypes: t.field({
    type: [TypeRef],
    nullable: true,
    description: 'Provider types of client registration policies.',
    requires: policyTypes,
    resolve: async ({ id }, _args, ctx) => {
      const realm = await realmById(ctx, id);
      return perform(ctx, policyTypes, async () => ({ realm }));
    },
  }),
  clientDescriptionConvert: t.field({
    type: 'JSON',
    nullable: true,
    description:
      'Converts a client description (JSON representation, OpenID Connect metadata, or SAML metadata) into a client representation. Stores nothing.',
    requires: convert,
    args: {
      document: t.arg({ type: TextFileInput, required: true, description: 'The client description.' }),
    },
    resolve: async ({ id }, { document }, ctx) => {
      const realm = await realmById(ctx, id);
      return perform(
        ctx,
        convert,
        async () => ({ realm }),
        async () => ({ document: await textOf(document, ctx) }),
      );
    },
  }),
}));

mutation('clientInitialAccessCreate', {
  description:
    'Creates an initial access token, with which clients can register themselves. Only this mutation returns the token value.',
  operation: access.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    count: t.int({ ...within(1), description: 'Number of clients that can be registered with the token. Default 1.' }),
    lifespan: t.int({ ...within(0), description: 'Seconds until the token expires. Omit: it does not expire.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: ({ count, lifespan }) => ({ count, expiration: lifespan }),
  fieldOf: fieldNamed({ expiration: 'lifespan' }),
  returns: {
    clientInitialAccess: {
      type: ClientInitialAccess,
      model: 'clientInitialAccess',
      description: 'The initial access token that was created.',
      id: ({ id }) => id,
    },
  },
  values: {
    token: { type: 'String', description: 'Value of the token. It is not returned again.', of: ({ token }) => token },
  },
});

mutation('clientInitialAccessDelete', {
  description: 'Deletes an initial access token, which revokes it.',
  operation: access.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the initial access token.' }) }),
  locate: (input, ctx) => locatedNode(ctx, String(input.id), 'id', 'ClientInitialAccess'),
  returns: realmOfResult,
  values: deletedIdOf('ClientInitialAccess', 'initial access token'),
});
