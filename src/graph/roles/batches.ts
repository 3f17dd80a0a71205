import { removeMany } from '../../services/roles/batch.js';
import { batchDelete } from '../core/batch.js';

batchDelete('rolesDelete', {
  description: 'Deletes up to 1000 roles of a realm and its clients in one transaction.',
  operation: removeMany,
  typename: 'Role',
  list: 'roles',
});
