import { createMany, removeMany, updateMany } from '../../services/roles/batch.js';
import { roleFields } from '../../services/roles/fields.js';
import { batchCreate, batchDelete, batchUpdate } from '../core/batch.js';
import { contractInput, updateInputs } from '../core/resource-fields.js';
import { newRoleFields, Role } from './roles.js';

const kind = { type: Role, one: 'role', list: 'roles' };

batchDelete(kind, {
  description: 'Deletes up to 1000 roles of a realm and its clients in one transaction.',
  operation: removeMany,
});

batchUpdate(kind, {
  description:
    'Changes up to 1000 roles of a realm and its clients in one transaction. A name that another role has before the change is taken.',
  operation: updateMany,
  inputs: (t) => updateInputs(t, roleFields),
  patch: (given) => contractInput(roleFields, given),
});

batchCreate(kind, {
  description: 'Creates up to 1000 roles in a realm and its clients, in one transaction.',
  operation: createMany,
  inputs: newRoleFields,
  place: 'container',
  places: ['Realm', 'Client'],
  about: 'Their containers must be the realm or clients of it.',
  input: (given) => contractInput(roleFields, given),
});
