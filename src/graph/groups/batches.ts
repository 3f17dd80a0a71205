import { removeMany } from '../../services/groups/batch.js';
import { batchDelete } from '../core/batch.js';

batchDelete('groupsDelete', {
  description: 'Deletes up to 1000 groups with their subgroups in one transaction.',
  operation: removeMany,
  typename: 'Group',
  list: 'groups',
});
