import { clientFields } from '../../services/clients/fields.js';
import { builder } from '../core/builder.js';
import { listPatch, nullOf } from '../core/filters.js';
import { parseId } from '../core/node.js';
import { contractInput, creationInputs, updateInputs } from '../core/resource-fields.js';
import type { InputBuilder } from '../core/setting-types.js';
import { isOrigin } from '../core/texts.js';
import { ClientKind } from './clients.js';
import { requireNoSettings, sendSettings } from './setting-values.js';
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

/** Flow overrides in the form of the contract, in which an empty text removes one. */
function flowsOf({ browser, directGrant }: FlowOverrides): Record<string, string> {
  const given = { browser: ['browser', browser], directGrant: ['direct_grant', directGrant] } as const;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, [use, id]]) => {
      if (id === undefined) return [];
      return [[use, id === null ? '' : parseId(id, `flowOverrides.${name}`, 'AuthenticationFlow').id]];
    }),
  );
}

const commonFields = (t: InputBuilder) => ({
  kind: t.field({
    type: ClientKind,
    description:
      'Whether the client can keep a secret: confidential, public, or bearer-only. Default for a new client: `CONFIDENTIAL`.',
  }),
  secret: t.string({ description: 'Secret of the client. Generated for a confidential client if omitted.' }),
  redirectUris: t.stringList({ description: clientFields.redirectUris.description }),
  webOrigins: t.stringList({
    ...isOrigin,
    description: clientFields.webOrigins.description,
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

/** The inputs of a new client besides its realm, protocol, and client scopes. */
export const newClientFields = (t: InputBuilder) => ({ ...creationInputs(t, clientFields), ...commonFields(t) });

interface Given {
  kind?: 'PUBLIC' | 'CONFIDENTIAL' | 'BEARER_ONLY' | null;
  secret?: string | null;
  redirectUris?: string[] | null;
  webOrigins?: string[] | null;
  attributes?: { name: string; value?: string | null }[] | null;
  flowOverrides?: FlowOverrides | null;
}

/** The common inputs in the form of the contract. */
export function represented(given: Given) {
  const { fields, attributes } = sendSettings({ ...given });
  requireNoSettings(given.attributes?.map(({ name }) => name) ?? [], 'attributes');
  const others = Object.fromEntries(given.attributes?.map(({ name, value = null }) => [name, value]) ?? []);
  return {
    ...contractInput(clientFields, given),
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

/** The inputs of a change of a client besides its ID. */
export const changeFields = (t: InputBuilder) => ({
  ...updateInputs(t, clientFields),
  ...commonFields(t),
  addRedirectUris: t.stringList({ description: 'Redirect URIs to add to the present ones.' }),
  removeRedirectUris: t.stringList({ description: 'Redirect URIs to remove.' }),
  addWebOrigins: t.stringList({ ...isOrigin, description: 'Web origins to add to the present ones.' }),
  removeWebOrigins: t.stringList({ description: 'Web origins to remove.' }),
});

/** The changes of a client as a patch of the contract. Throws faults that do not depend on the client. */
export const clientPatch = (given: Given) => ({
  ...represented(given),
  ...listPatch({ all: 'redirectUris', add: 'addRedirectUris', remove: 'removeRedirectUris' }, { ...given }),
  ...listPatch({ all: 'webOrigins', add: 'addWebOrigins', remove: 'removeWebOrigins' }, { ...given }),
});
