import { type ClientTarget, clientById, type FullClientTarget, fullClientById } from '../../services/clients/locate.js';
import { create, remove } from '../../services/clients/operations.js';
import { revokePreviousSecret, rotateSecret } from '../../services/clients/secret-operations.js';
import { patch } from '../../services/clients/update.js';
import type { Context } from '../../services/core/context.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { nameFields } from '../core/change-names.js';
import { mutation } from '../core/mutation.js';
import { namedScope, namesOfIds } from '../core/names.js';
import { locatedNode, nodeId } from '../core/node.js';
import type { InputBuilder } from '../core/setting-types.js';
import { realmTarget } from '../realms/mutations.js';
import { Client, kindOfClient } from './clients.js';
import { ClientProtocol } from './filter.js';
import { changeFields, clientPatch, newClientFields, represented } from './inputs.js';
import { clientPath } from './setting-values.js';

/** Client scopes of an input in the form of the contract, which has their names. */
async function scopesOf(ctx: Context, realmId: string, given: Readonly<Record<string, string[] | null | undefined>>) {
  const lists = Object.entries(given);
  const pathsOf = (field: string, ids: readonly string[]) => ids.map((id, at) => [`${field}.${at}`, id] as const);
  const ids = lists.flatMap(([field, list]) => pathsOf(field, list ?? []));
  const names = await namesOfIds(ctx, realmId, namedScope, ids);
  return Object.fromEntries(
    lists.map(([field, list]) => [field, list && pathsOf(field, list).map(([path]) => names.get(path))]),
  );
}

async function realmOfClient(ctx: Context, id: string): Promise<{ realm: RealmRecord; id: string }> {
  return locatedNode(ctx, id, 'id', 'Client');
}

/** The client with this ID, wherever the caller may see it. */
async function clientTarget(ctx: Context, id: string): Promise<FullClientTarget> {
  const found = await realmOfClient(ctx, id);
  return fullClientById(ctx, found.realm, found.id);
}

nameFields('Client', clientPath, { kind: kindOfClient });

const theClient = {
  client: {
    type: Client,
    model: 'client',
    description: 'The client after the change.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('clientCreate', {
  description:
    'Creates a client. If the input names no client scopes, it gets the default and optional scopes of the realm.',
  operation: create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    protocol: t.field({ type: ClientProtocol, description: 'Protocol of the client. Default OpenID Connect.' }),
    defaultClientScopes: t.idList({ description: 'IDs of the default client scopes of the client.' }),
    optionalClientScopes: t.idList({ description: 'IDs of the optional client scopes of the client.' }),
    ...newClientFields(t),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: async ({ protocol, defaultClientScopes, optionalClientScopes, ...given }, ctx, { realm }) => ({
    clientAuthenticatorType: 'client-secret',
    ...represented(given),
    // a new client that names OpenID Connect gets defaults that only the contract needs
    ...(protocol === 'saml' && { protocol }),
    ...(await scopesOf(ctx, realm.id, { defaultClientScopes, optionalClientScopes })),
  }),
  fieldOf: clientPath,
  returns: theClient,
});

mutation('clientUpdate', {
  description: 'Changes a client. Omitted fields keep their values; null clears a nullable field.',
  operation: patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the client.' }),
    ...changeFields(t),
  }),
  locate: ({ id }, ctx) => clientTarget(ctx, id),
  send: ({ id: _id, ...changes }) => clientPatch(changes),
  fieldOf: clientPath,
  returns: theClient,
});

mutation('clientDelete', {
  description: 'Deletes a client with its roles, protocol mappers, and service account.',
  operation: remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the client.' }) }),
  locate: ({ id }, ctx) => clientTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted client.', of: ({ id }) => nodeId('Client', id) },
  },
});

const theSecret = (t: InputBuilder) => ({ id: t.id({ required: true, description: 'ID of the client.' }) });

async function secretTarget(ctx: Context, id: string): Promise<ClientTarget> {
  const found = await realmOfClient(ctx, id);
  return clientById(ctx, found.realm, found.id);
}

mutation('clientRotateSecret', {
  description:
    'Generates a new secret for a client. The previous secret is accepted until the end of the grace period; one from an earlier rotation is not.',
  operation: rotateSecret,
  input: (t) => ({
    ...theSecret(t),
    gracePeriod: t.int({
      description:
        'Seconds for which the previous secret is accepted. Default 86,400 (one day), at most 2,592,000. 0: the previous secret is invalid immediately.',
    }),
  }),
  locate: ({ id }, ctx) => secretTarget(ctx, id),
  send: ({ gracePeriod }) => ({ gracePeriod: gracePeriod ?? undefined }),
  returns: theClient,
  values: {
    secret: {
      type: 'String',
      description: 'The new secret of the client. Null in a dry run.',
      isSecret: true,
      of: ({ secret }) => secret,
    },
  },
});

mutation('clientRevokePreviousSecret', {
  description: 'Ends the grace period of the previous secret of a client.',
  operation: revokePreviousSecret,
  input: theSecret,
  locate: ({ id }, ctx) => secretTarget(ctx, id),
  returns: theClient,
});
