import type { InputFieldMap } from '@pothos/core';
import type { Context } from '../../services/core/context.js';
import { members } from '../../services/core/json.js';
import { readJsonFile } from '../../services/core/json-file.js';
import { replacing } from '../../services/core/patch.js';
import type { Target } from '../../services/core/target.js';
import * as realms from '../../services/realms/operations.js';
import { aliasesOfFlows } from '../authentication/nodes.js';
import type { builder } from '../core/builder.js';
import { nullOf, settingMap } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId } from '../core/node.js';
import { JsonFileInput, pathInFile } from '../core/upload.js';
import { flowPurposes, RealmFlowsInput } from './flows.js';
import { Realm } from './realms.js';
import { sendGroups, settingPath } from './translation.js';
import { RealmAttributeInput, settingInputs } from './types.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

/** The realm with this node ID, if the caller may see it. */
export async function realmTarget(ctx: Context, id: string, field = 'id'): Promise<Target> {
  const { realm } = await locatedNode(ctx, id, field, 'Realm');
  return { realm };
}

const generalInputs = (t: InputBuilder) => ({
  isEnabled: t.boolean({ description: 'Whether the realm is enabled. Nobody can log in to a disabled realm.' }),
  displayName: t.string({ description: 'Display name of the realm on pages and in emails.' }),
  displayNameHtml: t.string({ description: 'Display name of the realm on pages, as HTML.' }),
  attributes: t.field({ type: [RealmAttributeInput], description: 'Custom attributes that replace all present ones.' }),
  ...(settingInputs(t) as Record<never, InputFieldMap[string]>),
});

interface General {
  isEnabled?: boolean | null | undefined;
  displayName?: string | null | undefined;
  displayNameHtml?: string | null | undefined;
  attributes?: readonly { name: string; value: string }[] | null | undefined;
}

/** An input as RealmRepresentation. */
function representationOf({ isEnabled, displayName, displayNameHtml, attributes, ...groups }: General) {
  const { attributes: ofGroups, ...sent } = sendGroups(groups);
  const custom = settingMap(attributes);
  return {
    enabled: isEnabled,
    displayName,
    displayNameHtml,
    // custom attributes replace all others, but attributes of groups are changed one by one
    attributes: custom ? replacing({ ...custom, ...members(ofGroups) }) : (ofGroups ?? custom),
    ...sent,
  };
}

/** The flows of an input as fields of RealmRepresentation. */
async function bindingsOf(ctx: Context, realmId: string, flows: Readonly<Record<string, string | null | undefined>>) {
  const given = flowPurposes.map(({ name, wire }) => [wire, `flows.${name}`, flows[name]] as const);
  return aliasesOfFlows(ctx, realmId, given);
}

/** The realm in the payload of a mutation on one of its objects. */
export const realmOfResult = {
  realm: {
    type: Realm,
    model: 'realm',
    description: 'The realm after the change.',
    id: ({ realmId }: { realmId: string }) => realmId,
  },
};

const theRealm = {
  realm: {
    type: Realm,
    model: 'realm',
    description: 'The realm after the change.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('realmCreate', {
  description: 'Creates a realm. Omitted settings get the defaults of a new realm.',
  operation: realms.create,
  never: ['REPEATED', 'CYCLE'],
  input: (t) => ({
    name: t.string({ required: true, description: 'Unique name of the realm. Part of its URLs.' }),
    ...generalInputs(t),
  }),
  locate: (_input, ctx) => realms.masterTarget(ctx),
  send: ({ name, ...input }) => {
    const representation = representationOf(input);
    return { ...representation, enabled: representation.enabled ?? true, realm: name };
  },
  fieldOf: settingPath,
  returns: theRealm,
});

mutation('realmImport', {
  description: 'Creates a realm with its contents from an exported file.',
  operation: realms.create,
  input: (t) => ({
    representation: t.field({
      type: JsonFileInput,
      required: true,
      description: 'The realm as RealmRepresentation of the REST API.',
    }),
  }),
  locate: (_input, ctx) => realms.masterTarget(ctx),
  send: async ({ representation: { json, upload } }) => (upload ? readJsonFile(upload.chunks(), 'users') : json),
  fieldsOf: ({ representation }) => pathInFile('representation', representation),
  returns: theRealm,
  namesIgnored: true,
});

mutation('realmUpdate', {
  description: 'Changes the settings of a realm. Omitted fields keep their values; null clears a nullable field.',
  operation: realms.patch,
  never: ['NAME_TAKEN', 'NAME_INVALID'],
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the realm.' }),
    ...generalInputs(t),
    flows: t.field({
      type: RealmFlowsInput,
      description: 'Authentication flows and the purposes they are used for. They must belong to the realm.',
    }),
  }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  send: async ({ flows, ...input }, ctx, { realm }) => ({
    ...representationOf(input),
    ...nullOf({ flows }),
    ...(flows && (await bindingsOf(ctx, realm.id, flows))),
  }),
  fieldOf: settingPath,
  returns: theRealm,
});

mutation('realmRename', {
  description: 'Renames a realm. Its URLs change, and tokens issued under the previous name become invalid.',
  operation: realms.update,
  never: ['EMAIL_INVALID', 'SECRET_REQUIRED'],
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the realm.' }),
    name: t.string({ required: true, description: 'New unique name of the realm.' }),
  }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  send: ({ name }) => ({ realm: name }),
  fieldOf: settingPath,
  returns: theRealm,
});

mutation('realmDelete', {
  description: 'Deletes a realm with all its contents.',
  operation: realms.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted realm.', of: ({ id }) => nodeId('Realm', id) },
  },
});
