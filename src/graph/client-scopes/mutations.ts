import { addRealmScope, removeRealmScope } from '../../services/client-scopes/assignments.js';
import { clientScopeFields } from '../../services/client-scopes/fields.js';
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
import { contractInput, creationInputs, updateInputs } from '../core/resource-fields.js';
import { type MapperInputValue, mappersOf, NewProtocolMapper } from '../protocol-mappers/inputs.js';
import { realmTarget } from '../realms/mutations.js';
import { ClientScope, ClientScopeUse } from './client-scopes.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const AttributeInput = builder.inputType('ClientScopeAttributeInput', {
  description: 'An attribute of a client scope.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    value: t.string({ description: 'Value of the attribute. Null removes it.' }),
  }),
});

const common = (t: InputBuilder) => ({
  isInTokenScope: t.boolean({
    description: 'Whether the `scope` claim of tokens contains the name of the client scope.',
  }),
  isOnConsentScreen: t.boolean({ description: 'Whether the consent screen shows the client scope.' }),
  consentText: t.string({ description: 'Text for the client scope on the consent screen. Null removes it.' }),
  attributes: t.field({
    type: [AttributeInput],
    description: 'Attributes to set. Attributes not listed keep their values.',
  }),
});

interface Given {
  isInTokenScope?: boolean | null | undefined;
  isOnConsentScreen?: boolean | null | undefined;
  consentText?: string | null | undefined;
  attributes?: readonly { name: string; value?: string | null | undefined }[] | null | undefined;
}

/** The common inputs in the form of the contract. */
const represented = (given: Given) => {
  const { isInTokenScope, isOnConsentScreen, consentText, attributes } = given;
  const named = {
    ...Object.fromEntries((attributes ?? []).map(({ name, value = null }) => [name, value])),
    ...(isInTokenScope != null && { 'include.in.token.scope': String(isInTokenScope) }),
    ...(isOnConsentScreen != null && { 'display.on.consent.screen': String(isOnConsentScreen) }),
    ...(consentText !== undefined && { 'consent.screen.text': consentText }),
  };
  return {
    ...contractInput(clientScopeFields, given),
    attributes: attributes === null ? replacing(named) : named,
    ...nullOf({ isInTokenScope, isOnConsentScreen }),
  };
};

async function scopeTarget(ctx: Context, id: string, field = 'id'): Promise<ScopeTarget> {
  const found = await locatedNode(ctx, id, field, 'ClientScope');
  return scopeById(ctx, found.realm, found.id);
}

const theScope = (id: (result: never) => string) => ({
  clientScope: {
    type: ClientScope,
    model: 'clientScope',
    description: 'The client scope after the change.',
    id: id as (result: unknown) => string,
  },
});
const byRow = theScope(({ id }: { id: string }) => id);

mutation('clientScopeCreate', {
  description: 'Creates a client scope. Spaces in its name are replaced by underscores.',
  operation: scopes.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    ...creationInputs(t, clientScopeFields),
    protocol: t.field({
      type: ClientProtocol,
      description: 'Protocol of the clients that the scope applies to. Default OpenID Connect.',
    }),
    ...common(t),
    protocolMappers: t.field({
      type: [NewProtocolMapper],
      description: 'Protocol mappers to create with the client scope.',
    }),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ protocol, protocolMappers, ...given }) => ({
    ...represented(given),
    protocol: protocol ?? 'openid-connect',
    protocolMappers: protocolMappers && mappersOf(protocolMappers as MapperInputValue[]),
  }),
  returns: byRow,
});

mutation('clientScopeUpdate', {
  description: 'Changes a client scope. Omitted fields keep their values; null clears a nullable field.',
  operation: scopes.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the client scope.' }),
    ...updateInputs(t, clientScopeFields),
    protocol: t.field({ type: ClientProtocol, description: 'New protocol of the client scope.' }),
    ...common(t),
  }),
  locate: ({ id }, ctx) => scopeTarget(ctx, id),
  send: ({ protocol, ...given }) => ({ ...represented(given), protocol }),
  returns: byRow,
});

mutation('clientScopeDelete', {
  description: 'Deletes a client scope. It is removed from clients, realm defaults, and user consents.',
  operation: scopes.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the client scope.' }) }),
  locate: ({ id }, ctx) => scopeTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'ID of the deleted client scope.',
      of: ({ id }) => nodeId('ClientScope', id),
    },
  },
});

const use = (t: InputBuilder) => ({
  use: t.field({ type: ClientScopeUse, description: 'How clients use the scope. Default `DEFAULT`.' }),
});

const theScopeId = (t: InputBuilder) => ({
  clientScope: t.id({ required: true, description: 'ID of the client scope.' }),
});

mutation('realmAddClientScope', {
  description: 'Makes a client scope a default or optional client scope of the realm, which new clients get.',
  operation: addRealmScope,
  input: (t) => ({ ...theScopeId(t), ...use(t) }),
  locate: ({ clientScope }, ctx) => scopeTarget(ctx, clientScope, 'clientScope'),
  send: (input) => ({ optional: input.use === 'optional' }),
  returns: theScope((id: string) => id),
});

mutation('realmRemoveClientScope', {
  description:
    'Removes a client scope from the default and optional client scopes of the realm. Existing clients keep it.',
  operation: removeRealmScope,
  input: theScopeId,
  locate: ({ clientScope }, ctx) => scopeTarget(ctx, clientScope, 'clientScope'),
  send: () => ({}),
  returns: byRow,
});

/** A client and a client scope of its realm. */
async function pairOf(ctx: Context, { id, clientScope }: { id: string; clientScope: string }) {
  const owner = await locatedNode(ctx, id, 'id', 'Client');
  const assigned = await locatedNode(ctx, clientScope, 'clientScope', 'ClientScope');
  return clientWithScope(ctx, owner.realm, owner.id, assigned.id);
}

const pair = (t: InputBuilder) => ({
  id: t.id({ required: true, description: 'ID of the client.' }),
  ...theScopeId(t),
});
const theClient = {
  client: { type: Client, model: 'client', description: 'The client after the change.', id: (id: string) => id },
};

mutation('clientAddClientScope', {
  description:
    'Adds a client scope to a client. No effect if the client already has it; a scope of another protocol is never used.',
  operation: assignScope,
  input: (t) => ({ ...pair(t), ...use(t) }),
  locate: (input, ctx) => pairOf(ctx, input),
  send: (input) => ({ optional: input.use === 'optional' }),
  returns: theClient,
});

mutation('clientRemoveClientScope', {
  description: 'Removes a default or optional client scope from a client.',
  operation: unassignScope,
  input: pair,
  locate: (input, ctx) => pairOf(ctx, input),
  send: () => ({}),
  returns: theClient,
});
