import { createMany, moveMany, removeMany, updateMany } from '../../services/groups/batch.js';
import { groupFields } from '../../services/groups/fields.js';
import { batchCreate, batchDelete, batchUpdate, leftOut, onErrorField, writtenBy } from '../core/batch.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, parseId, parseIds } from '../core/node.js';
import { contractInput, updateInputs } from '../core/resource-fields.js';
import { fieldNamed } from '../core/wire-names.js';
import { Group, newGroupFields } from './groups.js';

const kind = { type: Group, one: 'group', list: 'groups' };

batchDelete(kind, {
  description: 'Deletes up to 1000 groups with their subgroups in one transaction.',
  operation: removeMany,
});

batchUpdate(kind, {
  description:
    'Changes up to 1000 groups in one transaction. A name that another group has before the change is taken.',
  operation: updateMany,
  inputs: (t) => updateInputs(t, groupFields),
  patch: (given) => contractInput(groupFields, given),
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
  returns: writtenBy(kind),
});

batchCreate(kind, {
  description: 'Creates up to 1000 groups in one transaction.',
  operation: createMany,
  inputs: newGroupFields,
  place: 'parent',
  places: ['Realm', 'Group'],
  about: 'Their parents must be the realm or existing groups of it.',
  input: (given) => contractInput(groupFields, given),
});
