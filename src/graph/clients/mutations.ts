import { clientById, type FullClientTarget, fullClientById } from '../../services/clients/locate.js';
import { create, remove } from '../../services/clients/operations.js';
import { regenerateSecret } from '../../services/clients/secret-operations.js';
import { patch } from '../../services/clients/update.js';
import type { Context } from '../../services/core/context.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { builder } from '../core/builder.js';
import { nullOf } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Client, ClientKind } from './clients.js';
import { ClientProtocol } from './filter.js';

const FlowsInput = builder.inputType('ClientFlowsInput', {
  description:
    'OAuth flows that the client may use. Omitted fields keep their values, or get the stated default at creation.',
  fields: (t) => ({
    standard: t.boolean({ description: 'Authorization code flow. Default for a new client: true.' }),
    implicit: t.boolean({ description: 'Implicit flow. Default for a new client: false.' }),
    directAccess: t.boolean({
      description: 'Resource owner password credentials grant (direct access grant). Default for a new client: false.',
    }),
    serviceAccounts: t.boolean({
      description: 'Client credentials grant, with a service account. Default for a new client: false.',
    }),
  }),
});

const UrlsInput = builder.inputType('ClientUrlsInput', {
  description: 'URLs of a client. Omitted fields keep their values; null removes a URL.',
  fields: (t) => ({
    root: t.string({ description: 'Root URL. Relative URLs of the client are resolved against it.' }),
    base: t.string({ description: 'Base URL, to which users are sent when they open the client.' }),
    admin: t.string({ description: 'Admin URL, to which the server sends logout and revocation requests.' }),
  }),
});

const AttributeInput = builder.inputType('ClientAttributeInput', {
  description: 'An attribute of a client.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    value: t.string({ description: 'Value of the attribute. Null removes it.' }),
  }),
});

/** The inputs that creating and updating a client have in common. */
const common = (t: PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>) => ({
  name: t.string({ description: 'Display name of the client.' }),
  description: t.string({ description: 'Description of the client.' }),
  enabled: t.boolean({ description: 'Whether the client is enabled. A disabled client gets no tokens.' }),
  kind: t.field({
    type: ClientKind,
    description:
      'Whether the client can keep a secret: confidential, public, or bearer-only. Default for a new client: `CONFIDENTIAL`.',
  }),
  authenticator: t.string({ description: 'ID of the client authenticator, e.g. `client-secret`.' }),
  secret: t.string({ description: 'Secret of the client. Generated for a confidential client if omitted.' }),
  flows: t.field({ type: FlowsInput, description: 'OAuth flows that the client may use.' }),
  urls: t.field({ type: UrlsInput, description: 'URLs of the client.' }),
  redirectUris: t.stringList({ description: 'Allowed redirect URIs after a login. A trailing `*` is a wildcard.' }),
  webOrigins: t.stringList({
    description: 'Allowed origins for cross-origin requests (CORS). `+` stands for the origins of the redirect URIs.',
  }),
  attributes: t.field({
    type: [AttributeInput],
    description: 'Attributes to set. Attributes not listed keep their values.',
  }),
  consentRequired: t.boolean({ description: 'Whether users must consent before the client gets tokens.' }),
  fullScopeAllowed: t.boolean({
    description: "Whether tokens contain all roles of the user, rather than only the roles in the client's scope.",
  }),
  alwaysDisplayInConsole: t.boolean({
    description: 'Whether the account console lists the client even before the user has used it.',
  }),
});

interface Given {
  name?: string | null;
  description?: string | null;
  enabled?: boolean | null;
  kind?: 'PUBLIC' | 'CONFIDENTIAL' | 'BEARER_ONLY' | null;
  authenticator?: string | null;
  secret?: string | null;
  flows?: {
    standard?: boolean | null;
    implicit?: boolean | null;
    directAccess?: boolean | null;
    serviceAccounts?: boolean | null;
  } | null;
  urls?: { root?: string | null; base?: string | null; admin?: string | null } | null;
  redirectUris?: string[] | null;
  webOrigins?: string[] | null;
  attributes?: { name: string; value?: string | null }[] | null;
  consentRequired?: boolean | null;
  fullScopeAllowed?: boolean | null;
  alwaysDisplayInConsole?: boolean | null;
}

/** Names of the inputs, by those of the contract. */
const fieldNames: Record<string, string> = {
  clientAuthenticatorType: 'authenticator',
  publicClient: 'kind',
  bearerOnly: 'kind',
  standardFlowEnabled: 'flows.standard',
  implicitFlowEnabled: 'flows.implicit',
  directAccessGrantsEnabled: 'flows.directAccess',
  serviceAccountsEnabled: 'flows.serviceAccounts',
  rootUrl: 'urls.root',
  baseUrl: 'urls.base',
  adminUrl: 'urls.admin',
};

/** The common inputs in the form of the contract. A group of fields cannot be null as a whole. */
const represented = (given: Given) => ({
  name: given.name,
  description: given.description,
  enabled: given.enabled,
  ...nullOf({ kind: given.kind, flows: given.flows, urls: given.urls }),
  ...(given.kind && { publicClient: given.kind === 'PUBLIC', bearerOnly: given.kind === 'BEARER_ONLY' }),
  clientAuthenticatorType: given.authenticator,
  secret: given.secret,
  standardFlowEnabled: given.flows?.standard,
  implicitFlowEnabled: given.flows?.implicit,
  directAccessGrantsEnabled: given.flows?.directAccess,
  serviceAccountsEnabled: given.flows?.serviceAccounts,
  rootUrl: given.urls?.root,
  baseUrl: given.urls?.base,
  adminUrl: given.urls?.admin,
  redirectUris: given.redirectUris,
  webOrigins: given.webOrigins,
  attributes: given.attributes && Object.fromEntries(given.attributes.map(({ name, value = null }) => [name, value])),
  consentRequired: given.consentRequired,
  fullScopeAllowed: given.fullScopeAllowed,
  alwaysDisplayInConsole: given.alwaysDisplayInConsole,
});

async function realmOfClient(ctx: Context, id: string): Promise<{ realm: RealmRecord; id: string }> {
  return locatedNode(ctx, id, 'id', 'Client');
}

/** The client with this id, wherever the caller may see it. */
async function clientTarget(ctx: Context, id: string): Promise<FullClientTarget> {
  const found = await realmOfClient(ctx, id);
  return fullClientById(ctx, found.realm, found.id);
}

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
    defaultScopes: t.stringList({ description: 'Names of the default client scopes of the client.' }),
    optionalScopes: t.stringList({ description: 'Names of the optional client scopes of the client.' }),
    ...common(t),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ clientId, protocol, defaultScopes, optionalScopes, ...given }) => ({
    ...represented(given),
    // a new client that names OpenID Connect gets defaults that only the contract needs
    ...(protocol === 'saml' && { protocol }),
    clientId,
    clientAuthenticatorType: given.authenticator ?? 'client-secret',
    defaultClientScopes: defaultScopes,
    optionalClientScopes: optionalScopes,
  }),
  returns: theClient,
});

mutation('clientUpdate', {
  description: 'Changes a client. Omitted fields keep their values; null clears a nullable field.',
  operation: patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the client.' }),
    clientId: t.string({ description: 'New clientId, unique in the realm.' }),
    ...common(t),
  }),
  locate: ({ id }, ctx) => clientTarget(ctx, id),
  send: ({ clientId, ...given }) => ({ ...represented(given), clientId }),
  fieldOf: (field) => fieldNames[field] ?? field,
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

mutation('clientRegenerateSecret', {
  description: 'Generates a new secret for a client. The previous secret is invalid immediately.',
  operation: regenerateSecret,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the client.' }) }),
  locate: async ({ id }, ctx) => {
    const found = await realmOfClient(ctx, id);
    return clientById(ctx, found.realm, found.id);
  },
  returns: theClient,
  values: { secret: { type: 'String', description: 'The new secret of the client.', of: ({ secret }) => secret } },
});
