import type { Prisma } from '../../generated/sqlite/client.js';

/** All columns of a new role, except those that every new role has in common. A column that is missing here fails the typecheck. */
export type RoleRow = Required<Omit<Prisma.RoleCreateManyInput, 'version'>>;

type Given = Pick<RoleRow, 'id' | 'realmId' | 'clientId' | 'name'> & { description?: string | null | undefined };

/** The row of a new role. Every place that creates roles takes it from here: the operation, imports, directories. */
export const roleRow = ({ id, realmId, clientId, name, description }: Given): RoleRow => ({
  id,
  realmId,
  clientId,
  container: clientId ?? realmId,
  name,
  description: description ?? null,
  search: roleSearchText(name, description),
});

/** The text in which searches for roles look: name and description in lower case. */
export const roleSearchText = (name: string, description?: string | null): string =>
  `${name}\n${description ?? ''}`.toLowerCase();
