import * as groups from '../../services/groups/operations.js';
import { listDirect } from '../../services/role-mappings/operations.js';
import { countedField } from '../core/counted.js';
import { relatedField } from '../core/related.js';
import { Group, groupLists } from './groups.js';

relatedField(Group, 'ancestors', {
  ...groupLists,
  relation: 'ancestors',
  order: [{ path: 'path' }, { path: 'id' }],
  visibleAs: groups.listGroups,
  isParentApart: true,
  description: 'The groups above, from the top level down to the parent group. Empty at the top level.',
});

countedField(Group, 'depth', {
  relation: 'ancestors',
  description: 'Number of groups above. 0 at the top level.',
});

countedField(Group, 'childCount', {
  relation: 'children',
  requires: groups.get,
  description: 'Number of direct subgroups.',
});

relatedField(Group, 'descendants', {
  ...groupLists,
  relation: 'descendants',
  order: [{ path: 'path' }, { path: 'id' }],
  // the operation that reads a group returns everything below it
  requires: groups.get,
  description: 'Subgroups at any depth, ordered by path: each group comes after its parent group.',
});

countedField(Group, 'descendantCount', {
  relation: 'descendants',
  requires: groups.get,
  description: 'Number of subgroups at any depth.',
});

countedField(Group, 'memberCount', {
  relation: 'users',
  through: 'user',
  requires: [groups.get, groups.members],
  listing: groups.members,
  description: 'Number of direct members, without members of subgroups.',
});

countedField(Group, 'roleCount', {
  relation: 'roles',
  requires: { operation: listDirect, kind: 'group' },
  description: 'Number of roles mapped directly to the group.',
});
