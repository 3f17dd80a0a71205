import type { Prisma } from '../../generated/sqlite/client.js';
import { newColumns } from '../core/fields.js';
import type { Input } from '../core/shape.js';
import { roleFields } from './fields.js';
import type { RoleRepresentation } from './representation.js';

/** All columns of a new role, except those that every new role has in common. A column that is missing here fails the typecheck. */
export type RoleRow = Required<Omit<Prisma.RoleCreateManyInput, 'version'>>;

type Given = Pick<RoleRow, 'id' | 'realmId' | 'clientId' | 'name'> & Input<typeof RoleRepresentation>;

/** The row of a new role. Every place that creates roles takes it from here: the operation, imports, directories. */
export const roleRow = ({ id, realmId, clientId, name, ...given }: Given): RoleRow => ({
  ...newColumns(roleFields, given),
  id,
  realmId,
  clientId,
  container: clientId ?? realmId,
  name,
  search: roleSearchText(name, given.description),
});

/** The text in which searches for roles look: name and description in lower case. */
export const roleSearchText = (name: string, description?: string | null): string =>
  `${name}\n${description ?? ''}`.toLowerCase();
