import { addRealmScope, removeRealmScope } from '../../services/client-scopes/assignments.js';
import { type ScopeTarget, scopeById } from '../../services/client-scopes/locate.js';
import * as scopes from '../../services/client-scopes/operations.js';
import { clientWithScope } from '../../services/clients/locate.js';
import { assignScope, unassignScope } from '../../services/clients/scopes.js';
import type { Context } from '../../services/core/context.js';
import { replacing } from '../../services/core/patch.js';
import { Client } from '../clients/clients.js';
import { ClientProtocol } from '../clients/filter.js';
import { builder } from '../core/builder.js';
import { nullOf } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId } from '../core/node.js';
import { type MapperInputValue, mapperOf, NewProtocolMapper } from '../protocol-mappers/inputs.js';
import { realmTarget } from '../realms/mutations.js';
import { ClientScope, ClientScopeUse } from './client-scopes.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const AttributeInput = builder.inputType('ClientScopeAttributeInput', {
  description: 'An attribute of a client scope.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    value: t.string({ description: 'Its value; null takes it away.' }),
  }),
});

const common = (t: InputBuilder) => ({
  description: t.string({ description: 'What it is for.' }),
  isInTokenScope: t.boolean({ description: 'Whether the scope of tokens names it.' }),
  isOnConsentScreen: t.boolean({ description: 'Whether users see it where they are asked for their consent.' }),
  consentText: t.string({ description: 'What users see there; null takes it away.' }),
  attributes: t.field({ type: [AttributeInput], description: 'Attributes to set; others stay.' }),
});

interface Given {
  description?: string | null | undefined;
  isInTokenScope?: boolean | null | undefined;
  isOnConsentScreen?: boolean | null | undefined;
  consentText?: string | null | undefined;
  attributes?: readonly { name: string; value?: string | null | undefined }[] | null | undefined;
}

/** The common inputs in the form of the contract. */
const represented = ({ description, isInTokenScope, isOnConsentScreen, consentText, attributes }: Given) => {
  const named = {
    ...Object.fromEntries((attributes ?? []).map(({ name, value = null }) => [name, value])),
    ...(isInTokenScope != null && { 'include.in.token.scope': String(isInTokenScope) }),
    ...(isOnConsentScreen != null && { 'display.on.consent.screen': String(isOnConsentScreen) }),
    ...(consentText !== undefined && { 'consent.screen.text': consentText }),
  };
  return {
    description,
    attributes: attributes === null ? replacing(named) : named,
    ...nullOf({ isInTokenScope, isOnConsentScreen }),
  };
};

async function scopeTarget(ctx: Context, id: string): Promise<ScopeTarget> {
  const found = await locatedNode(ctx, id, 'id', 'ClientScope');
  return scopeById(ctx, found.realm, found.id);
}

const theScope = (id: (result: never) => string) => ({
  clientScope: {
    type: ClientScope,
    model: 'clientScope',
    description: 'The client scope as it is now.',
    id: id as (result: unknown) => string,
  },
});
const byRow = theScope(({ id }: { id: string }) => id);

mutation('clientScopeCreate', {
  description: 'Creates a client scope. Blanks of its name become underscores.',
  operation: scopes.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    name: t.string({ required: true, description: 'Unique in the realm.' }),
    protocol: t.field({
      type: ClientProtocol,
      description: 'Of which protocol the clients are that it has an effect on; OpenID Connect unless told.',
    }),
    ...common(t),
    protocolMappers: t.field({ type: [NewProtocolMapper], description: 'Protocol mappers that it is to have.' }),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ name, protocol, protocolMappers, ...given }) => ({
    ...represented(given),
    name,
    protocol: protocol ?? 'openid-connect',
    protocolMappers: (protocolMappers as MapperInputValue[] | null | undefined)?.map(mapperOf),
  }),
  returns: byRow,
});

mutation('clientScopeUpdate', {
  description: 'Changes a client scope. Fields that are left out stay; null clears a field that can be empty.',
  operation: scopes.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the client scope.' }),
    name: t.string({ description: 'New name.' }),
    protocol: t.field({ type: ClientProtocol, description: 'Of which protocol its clients are from now on.' }),
    ...common(t),
  }),
  locate: ({ id }, ctx) => scopeTarget(ctx, id),
  send: ({ name, protocol, ...given }) => ({ ...represented(given), name, protocol }),
  returns: byRow,
});

mutation('clientScopeDelete', {
  description: 'Deletes a client scope; clients, the defaults of the realm and consents of users lose it.',
  operation: scopes.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the client scope.' }) }),
  locate: ({ id }, ctx) => scopeTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'Id of the client scope that is gone.',
      of: ({ id }) => nodeId('ClientScope', id),
    },
  },
});

const use = (t: InputBuilder) => ({
  use: t.field({ type: ClientScopeUse, description: 'When it is used; for all tokens unless told.' }),
});

mutation('clientScopeAddToRealm', {
  description: 'Gives a client scope to all clients that are created from now on.',
  operation: addRealmScope,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the client scope.' }), ...use(t) }),
  locate: ({ id }, ctx) => scopeTarget(ctx, id),
  send: (input) => ({ optional: input.use === 'optional' }),
  returns: theScope((id: string) => id),
});

mutation('clientScopeRemoveFromRealm', {
  description: 'Gives a client scope no longer to clients that are created from now on. Those that have it keep it.',
  operation: removeRealmScope,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the client scope.' }) }),
  locate: ({ id }, ctx) => scopeTarget(ctx, id),
  send: () => ({}),
  returns: byRow,
});

/** A client and a client scope of its realm. */
async function pairOf(ctx: Context, { client, scope }: { client: string; scope: string }) {
  const owner = await locatedNode(ctx, client, 'client', 'Client');
  const assigned = await locatedNode(ctx, scope, 'scope', 'ClientScope');
  return clientWithScope(ctx, owner.realm, owner.id, assigned.id);
}

const pair = (t: InputBuilder) => ({
  client: t.id({ required: true, description: 'Id of the client.' }),
  scope: t.id({ required: true, description: 'Id of the client scope.' }),
});
const theClient = {
  client: { type: Client, model: 'client', description: 'The client as it is now.', id: (id: string) => id },
};

mutation('clientAssignScope', {
  description: 'Gives a client a client scope. One that it has stays as it is; one of another protocol has no effect.',
  operation: assignScope,
  input: (t) => ({ ...pair(t), ...use(t) }),
  locate: (input, ctx) => pairOf(ctx, input),
  send: (input) => ({ optional: input.use === 'optional' }),
  returns: theClient,
});

mutation('clientUnassignScope', {
  description: 'Takes a client scope from a client, whether it had it by default or on request.',
  operation: unassignScope,
  input: pair,
  locate: (input, ctx) => pairOf(ctx, input),
  send: () => ({}),
  returns: theClient,
});
