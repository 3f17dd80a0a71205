import type { PluralResult } from '../../services/core/batch-of.js';
import { createMany, removeMany, updateMany } from '../../services/roles/batch.js';
import { roleFields } from '../../services/roles/fields.js';
import { batchDelete, leftOut, onErrorField, realmOfBatch } from '../core/batch.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { parseEach } from '../core/node.js';
import { contractInput, updateInputs } from '../core/resource-fields.js';
import { newRoleFields, Role } from './roles.js';

batchDelete('rolesDelete', {
  description: 'Deletes up to 1000 roles of a realm and its clients in one transaction.',
  operation: removeMany,
  typename: 'Role',
  list: 'roles',
});

const RoleUpdateItem = builder.inputType('RoleUpdateItem', {
  description: 'Changes to a role. Omitted fields keep their values; null clears a nullable field.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the role.' }),
    expectedVersion: t.int({
      description:
        'Version the role must have. Otherwise the item is refused with the code `STALE`. Omit to skip the check.',
    }),
    ...updateInputs(t, roleFields),
  }),
});

const writtenRoles = {
  roles: {
    type: Role,
    model: 'role',
    description: 'Roles that were written, in the order of the input.',
    ids: ({ done }: PluralResult) => done.map(({ id }) => id),
  },
};

mutation('rolesUpdate', {
  description:
    'Changes up to 1000 roles of a realm and its clients in one transaction. A name that another role has before the change is taken.',
  operation: updateMany,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm of the roles.' }),
    roles: t.field({
      type: [RoleUpdateItem],
      required: true,
      description: 'Changes, each with the ID of its role. They must belong to the realm.',
    }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmOfBatch(ctx, input.realm),
  send: (input) => {
    const ids = parseEach(input.roles, 'roles', 'id', 'Role');
    const roles = input.roles.map(({ expectedVersion, ...given }, at) => ({
      id: ids[at],
      expectedVersion,
      role: contractInput(roleFields, given),
    }));
    return { roles, onError: input.onError };
  },
  leftOut,
  returns: writtenRoles,
});

const RoleCreateItem = builder.inputType('RoleCreateItem', { description: 'A role to create.', fields: newRoleFields });

mutation('rolesCreate', {
  description: 'Creates up to 1000 roles in a realm and its clients in one transaction.',
  operation: createMany,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm of the roles.' }),
    roles: t.field({
      type: [RoleCreateItem],
      required: true,
      description: 'Roles to create. Their containers must be the realm or clients of it.',
    }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmOfBatch(ctx, input.realm),
  fieldOf: (field) => field.replace(/^(roles\.\d+)\.role(?=\.|$)/, '$1'),
  send: (input) => {
    const containers = parseEach(input.roles, 'roles', 'container', 'Realm', 'Client');
    const roles = input.roles.map((given, at) => ({
      container: containers[at],
      role: contractInput(roleFields, given),
    }));
    return { roles, onError: input.onError };
  },
  leftOut,
  returns: writtenRoles,
});
