import { clientById, type FullClientTarget, fullClientById } from '../../services/clients/locate.js';
import { create, remove } from '../../services/clients/operations.js';
import { regenerateSecret } from '../../services/clients/secret.js';
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
  description: 'Ways in which a client may get tokens. What is left out stays, or is as said for a new client.',
  fields: (t) => ({
    standard: t.boolean({ description: 'By a code that the browser brings; on for a new client.' }),
    implicit: t.boolean({ description: 'Directly through the browser; off for a new client.' }),
    directAccess: t.boolean({ description: 'With the password of a user; off for a new client.' }),
    serviceAccounts: t.boolean({ description: 'For itself, with its own credentials; off for a new client.' }),
  }),
});

const UrlsInput = builder.inputType('ClientUrlsInput', {
  description: 'Where a client is found. What is left out stays; null takes it away.',
  fields: (t) => ({
    root: t.string({ description: 'What relative addresses of it start from.' }),
    base: t.string({ description: 'Where users are sent who want to use it.' }),
    admin: t.string({ description: 'Where the server tells it of revocations.' }),
  }),
});

const AttributeInput = builder.inputType('ClientAttributeInput', {
  description: 'An attribute of a client.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    value: t.string({ description: 'Its value; null takes it away.' }),
  }),
});

/** The inputs that creating and updating a client have in common. */
const common = (t: PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>) => ({
  name: t.string({ description: 'Name for people.' }),
  description: t.string({ description: 'What it is for.' }),
  enabled: t.boolean({ description: 'Whether it may be used.' }),
  kind: t.field({ type: ClientKind, description: 'What it can keep to itself; a new client is confidential.' }),
  authenticator: t.string({ description: 'Id of the way in which it proves who it is.' }),
  secret: t.string({ description: 'Its secret; one is made for a confidential client without.' }),
  flows: t.field({ type: FlowsInput, description: 'Ways in which it may get tokens.' }),
  urls: t.field({ type: UrlsInput, description: 'Where it is found.' }),
  redirectUris: t.stringList({ description: 'Where the browser may be sent after a login.' }),
  webOrigins: t.stringList({ description: 'Origins whose pages may call the server.' }),
  attributes: t.field({ type: [AttributeInput], description: 'Attributes to set; others stay.' }),
  consentRequired: t.boolean({ description: 'Whether users are asked for consent.' }),
  fullScopeAllowed: t.boolean({ description: 'Whether its tokens have all roles of the user.' }),
  alwaysDisplayInConsole: t.boolean({ description: 'Whether users see it before they used it.' }),
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
    description: 'The client as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('clientCreate', {
  description:
    'Creates a client. It gets the client scopes that it names, or else those that the realm has for new ones.',
  operation: create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    clientId: t.string({ required: true, description: 'Unique in the realm.' }),
    protocol: t.field({ type: ClientProtocol, description: 'How it talks to the server; OpenID Connect unless told.' }),
    defaultScopes: t.stringList({ description: 'Names of the client scopes that all its tokens have.' }),
    optionalScopes: t.stringList({ description: 'Names of the client scopes that its tokens have on request.' }),
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
  description: 'Changes a client. Fields that are left out stay; null clears a field that can be empty.',
  operation: patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the client.' }),
    clientId: t.string({ description: 'New clientId.' }),
    ...common(t),
  }),
  locate: ({ id }, ctx) => clientTarget(ctx, id),
  send: ({ clientId, ...given }) => ({ ...represented(given), clientId }),
  fieldOf: (field) => fieldNames[field] ?? field,
  returns: theClient,
});

mutation('clientDelete', {
  description: 'Deletes a client with its roles, mappers and service account.',
  operation: remove,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the client.' }) }),
  locate: ({ id }, ctx) => clientTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'Id of the client that is gone.', of: ({ id }) => nodeId('Client', id) },
  },
});

mutation('clientRegenerateSecret', {
  description: 'Gives a client a new secret; the old one is void at once.',
  operation: regenerateSecret,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the client.' }) }),
  locate: async ({ id }, ctx) => {
    const found = await realmOfClient(ctx, id);
    return clientById(ctx, found.realm, found.id);
  },
  returns: theClient,
  values: { secret: { type: 'String', description: 'The new secret.', of: ({ secret }) => secret } },
});
