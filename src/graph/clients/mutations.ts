import { type ClientTarget, clientById, type FullClientTarget, fullClientById } from '../../services/clients/locate.js';
import { create, remove } from '../../services/clients/operations.js';
import { revokePreviousSecret, rotateSecret } from '../../services/clients/secret-operations.js';
import { patch } from '../../services/clients/update.js';
import type { Context } from '../../services/core/context.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { builder } from '../core/builder.js';
import { nameFields } from '../core/change-names.js';
import { listPatch, nullOf } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { namedScope, namesOfIds } from '../core/names.js';
import { locatedNode, nodeId, parseId } from '../core/node.js';
import type { InputBuilder } from '../core/setting-types.js';
import { realmTarget } from '../realms/mutations.js';
import { Client, ClientKind } from './clients.js';
import { ClientProtocol } from './filter.js';
import { clientPath, requireNoSettings, sendSettings } from './setting-values.js';
import { settingInputs } from './types.js';

const AttributeInput = builder.inputType('ClientAttributeInput', {
  description: 'An attribute of a client.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    value: t.string({ description: 'Value of the attribute. Null removes it.' }),
  }),
});

const FlowOverridesInput = builder.inputType('ClientFlowOverridesInput', {
  description:
    'Authentication flows that a client uses in place of those of its realm. Omitted fields keep their values; null restores the flow of the realm.',
  fields: (t) => ({
    browser: t.id({ description: 'ID of the flow for logins in the browser.' }),
    directGrant: t.id({ description: 'ID of the flow for the password credentials grant (direct access grant).' }),
  }),
});

interface FlowOverrides {
  browser?: string | null;
  directGrant?: string | null;
}

/** Flow overrides in the form of the contract, where an empty text removes one. */
function flowsOf({ browser, directGrant }: FlowOverrides): Record<string, string> {
  const given = { browser: ['browser', browser], directGrant: ['direct_grant', directGrant] } as const;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, [use, id]]) => {
      if (id === undefined) return [];
      return [[use, id === null ? '' : parseId(id, `flowOverrides.${name}`, 'AuthenticationFlow').id]];
    }),
  );
}

/** The inputs that creating and updating a client have in common. */
const common = (t: InputBuilder) => ({
  name: t.string({ description: 'Display name of the client.' }),
  description: t.string({ description: 'Description of the client.' }),
  isEnabled: t.boolean({ description: 'Whether the client is enabled. A disabled client gets no tokens.' }),
  kind: t.field({
    type: ClientKind,
    description:
      'Whether the client can keep a secret: confidential, public, or bearer-only. Default for a new client: `CONFIDENTIAL`.',
  }),
  secret: t.string({ description: 'Secret of the client. Generated for a confidential client if omitted.' }),
  redirectUris: t.stringList({ description: 'Allowed redirect URIs after a login. A trailing `*` is a wildcard.' }),
  webOrigins: t.stringList({
    description: 'Allowed origins for cross-origin requests (CORS). `+` stands for the origins of the redirect URIs.',
  }),
  attributes: t.field({
    type: [AttributeInput],
    description: 'Attributes to set. Attributes not listed keep their values.',
  }),
  flowOverrides: t.field({
    type: FlowOverridesInput,
    description: 'Authentication flows that the client uses in place of those of its realm.',
  }),
  ...settingInputs(t),
});

interface Given {
  name?: string | null;
  description?: string | null;
  isEnabled?: boolean | null;
  kind?: 'PUBLIC' | 'CONFIDENTIAL' | 'BEARER_ONLY' | null;
  secret?: string | null;
  redirectUris?: string[] | null;
  webOrigins?: string[] | null;
  attributes?: { name: string; value?: string | null }[] | null;
  flowOverrides?: FlowOverrides | null;
}

/** The common inputs in the form of the contract. */
function represented(given: Given) {
  const { fields, attributes } = sendSettings({ ...given });
  requireNoSettings(given.attributes?.map(({ name }) => name) ?? [], 'attributes');
  const others = Object.fromEntries(given.attributes?.map(({ name, value = null }) => [name, value]) ?? []);
  return {
    name: given.name,
    description: given.description,
    enabled: given.isEnabled,
    ...nullOf({ kind: given.kind, flowOverrides: given.flowOverrides }),
    authenticationFlowBindingOverrides: given.flowOverrides ? flowsOf(given.flowOverrides) : undefined,
    ...(given.kind && { publicClient: given.kind === 'PUBLIC', bearerOnly: given.kind === 'BEARER_ONLY' }),
    secret: given.secret,
    redirectUris: given.redirectUris,
    webOrigins: given.webOrigins,
    ...fields,
    attributes: given.attributes === null ? null : { ...others, ...attributes },
  };
}

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

/** The client with this id, wherever the caller may see it. */
async function clientTarget(ctx: Context, id: string): Promise<FullClientTarget> {
  const found = await realmOfClient(ctx, id);
  return fullClientById(ctx, found.realm, found.id);
}

nameFields('Client', clientPath);

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
    clientId: t.string({
      required: true,
      description: 'Client identifier used in OAuth and SAML requests, unique in the realm.',
    }),
    protocol: t.field({ type: ClientProtocol, description: 'Protocol of the client. Default OpenID Connect.' }),
    defaultClientScopes: t.idList({ description: 'IDs of the default client scopes of the client.' }),
    optionalClientScopes: t.idList({ description: 'IDs of the optional client scopes of the client.' }),
    ...common(t),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: async ({ clientId, protocol, defaultClientScopes, optionalClientScopes, ...given }, ctx, { realm }) => ({
    clientAuthenticatorType: 'client-secret',
    ...represented(given),
    // a new client that names OpenID Connect gets defaults that only the contract needs
    ...(protocol === 'saml' && { protocol }),
    clientId,
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
    clientId: t.string({ description: 'New clientId, unique in the realm.' }),
    ...common(t),
    addRedirectUris: t.stringList({ description: 'Redirect URIs to add to the present ones.' }),
    removeRedirectUris: t.stringList({ description: 'Redirect URIs to remove.' }),
    addWebOrigins: t.stringList({ description: 'Web origins to add to the present ones.' }),
    removeWebOrigins: t.stringList({ description: 'Web origins to remove.' }),
  }),
  locate: ({ id }, ctx) => clientTarget(ctx, id),
  send: ({ clientId, ...given }) => ({
    ...represented(given),
    ...listPatch({ all: 'redirectUris', add: 'addRedirectUris', remove: 'removeRedirectUris' }, given),
    ...listPatch({ all: 'webOrigins', add: 'addWebOrigins', remove: 'removeWebOrigins' }, given),
    clientId,
  }),
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
