import { removeMany } from '../../services/clients/batch.js';
import { batchDelete } from '../core/batch.js';

batchDelete('clientsDelete', {
  description:
    'Deletes up to 1000 clients with their roles, protocol mappers, and service accounts in one transaction.',
  operation: removeMany,
  typename: 'Client',
  list: 'clients',
});
