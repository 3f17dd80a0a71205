import type { PluralResult } from '../../services/core/batch-of.js';
import { createMany, moveMany, removeMany, updateMany } from '../../services/groups/batch.js';
import { groupFields } from '../../services/groups/fields.js';
import { batchDelete, leftOut, onErrorField, realmOfBatch } from '../core/batch.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, parseEach, parseId, parseIds } from '../core/node.js';
import { contractInput, updateInputs } from '../core/resource-fields.js';
import { fieldNamed } from '../core/wire-names.js';
import { Group, newGroupFields } from './groups.js';

batchDelete('groupsDelete', {
  description: 'Deletes up to 1000 groups with their subgroups in one transaction.',
  operation: removeMany,
  typename: 'Group',
  list: 'groups',
});

const GroupUpdateItem = builder.inputType('GroupUpdateItem', {
  description: 'Changes to a group. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the group.' }),
    expectedVersion: t.int({
      description:
        'Version the group must have. Otherwise the item is refused with the code `STALE`. Omit to skip the check.',
    }),
    ...updateInputs(t, groupFields),
  }),
});

const writtenGroups = {
  groups: {
    type: Group,
    model: 'group',
    description: 'Groups that were written, in the order of the input.',
    ids: ({ done }: PluralResult) => done.map(({ id }) => id),
  },
};

mutation('groupsUpdate', {
  description:
    'Changes up to 1000 groups in one transaction. A name that another group has before the change is taken.',
  operation: updateMany,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm of the groups.' }),
    groups: t.field({
      type: [GroupUpdateItem],
      required: true,
      description: 'Changes, each with the ID of its group. They must belong to the realm.',
    }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmOfBatch(ctx, input.realm),
  send: (input) => {
    const ids = parseEach(input.groups, 'groups', 'id', 'Group');
    const groups = input.groups.map(({ expectedVersion, ...given }, at) => ({
      id: ids[at],
      expectedVersion,
      group: contractInput(groupFields, given),
    }));
    return { groups, onError: input.onError };
  },
  leftOut,
  returns: writtenGroups,
});

mutation('groupsMove', {
  description: 'Moves up to 1000 groups with their subgroups to one parent, in one transaction.',
  operation: moveMany,
  input: (t) => ({
    parent: t.id({
      required: true,
      description: 'ID of the new parent group, or of the realm to move the groups to the top level.',
    }),
    ids: t.idList({ required: true, description: 'IDs of the groups. They must belong to the realm of the parent.' }),
    onError: onErrorField(t),
  }),
  locate: async ({ parent }, ctx) => ({ realm: (await locatedNode(ctx, parent, 'parent', 'Realm', 'Group')).realm }),
  fieldOf: fieldNamed({ groups: 'ids' }),
  send: ({ parent, ids, onError }) => {
    const { typename, id } = parseId(parent, 'parent', 'Realm', 'Group');
    return { groups: parseIds(ids, 'ids', 'Group'), onError, ...(typename === 'Group' && { parent: id }) };
  },
  leftOut,
  returns: writtenGroups,
});

const GroupCreateItem = builder.inputType('GroupCreateItem', {
  description: 'A group to create.',
  fields: newGroupFields,
});

mutation('groupsCreate', {
  description: 'Creates up to 1000 groups in one transaction.',
  operation: createMany,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm of the groups.' }),
    groups: t.field({
      type: [GroupCreateItem],
      required: true,
      description: 'Groups to create. Their parents must be the realm or existing groups of it.',
    }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmOfBatch(ctx, input.realm),
  fieldOf: (field) => field.replace(/^(groups\.\d+)\.group(?=\.|$)/, '$1'),
  send: (input) => {
    const parents = parseEach(input.groups, 'groups', 'parent', 'Realm', 'Group');
    const groups = input.groups.map((given, at) => ({ parent: parents[at], group: contractInput(groupFields, given) }));
    return { groups, onError: input.onError };
  },
  leftOut,
  returns: writtenGroups,
});
