import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import { performAccepted } from '../core/batch-of.js';
import { replacedColumns } from '../core/fields.js';
import { invalid, type Refusal } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { attributeRows } from '../core/view.js';
import { masterName } from '../realms/defaults/master.js';
import { roleFields } from './fields.js';
import { takenPlaces } from './places.js';
import type { FullRole, RoleRepresentation } from './representation.js';
import { roleSearchText } from './row.js';
import { readRoles } from './store.js';

/** An administration role: the right that it gives, and the realm that it gives it for. */
interface Administration {
  right: string;
  realm: { name: string };
}

/** What `isRequired` reads of an administration role. */
export const administrationRead = { right: true, realm: { select: { name: true } } } as const;

/** Whether an administration role must stay; tools take away that the users of a realm can be impersonated. */
export const isRequired = ({ right, realm }: Administration): boolean =>
  right !== 'impersonation' || realm.name === masterName;

/** Why administration roles among these must not be removed or renamed by any caller, by their ids. */
export async function administrationAmong(
  tx: Db,
  roles: readonly FullRole[],
  text: string,
  { field, only = () => true }: { field?: string; only?: (role: Administration) => boolean } = {},
): Promise<ReadonlyMap<string, Refusal>> {
  const where = { roleId: { in: roles.map(({ id }) => id) } };
  const found = await tx.administrationRole.findMany({ where, select: { roleId: true, ...administrationRead } });
  const isFound = new Set(found.filter(only).map(({ roleId }) => roleId));
  return new Map(
    roles.flatMap(({ id, name }) =>
      isFound.has(id)
        ? [[id, invalid(`Administration role ${name} ${text}.`, field, { code: 'ADMINISTRATION' })] as const]
        : [],
    ),
  );
}

/** A role behind its lock, and what it is to be. */
export interface RoleChange {
  role: FullRole;
  input: Input<typeof RoleRepresentation>;
}

const isRenamed = ({ role, input }: RoleChange): boolean => input.name !== undefined && input.name !== role.name;

const newPlace = ({ role: { container }, input: { name } }: RoleChange) => ({ container, name });

/** The changes, with refusals in place of those whose new names are empty, others have, as they are or after earlier changes, or that must not change. */
async function named(tx: Db, changes: readonly RoleChange[]): Promise<(RoleChange | Refusal)[]> {
  const renamed = changes.filter(isRenamed);
  if (renamed.length === 0) return [...changes];
  const kept = await administrationAmong(
    tx,
    renamed.map(({ role }) => role),
    'cannot be renamed: tokens and files refer to its name',
    { field: 'name' },
  );
  const taken = await takenPlaces(tx, renamed.map(newPlace));
  return changes.map((change) => {
    if (!isRenamed(change)) return change;
    if (change.input.name === '') return invalid('`name` of the role must not be empty', 'name');
    return kept.get(change.role.id) ?? taken.take(newPlace(change)) ?? change;
  });
}

/** Writes roles with their descriptions and, where they are given, their attributes; with refusals in place of what was not done. */
export async function updateRoles(tx: Db, changes: readonly RoleChange[]): Promise<(FullRole | Refusal)[]> {
  return performAccepted(await named(tx, changes), async (given) => {
    const rows = given.map(({ role, input }) => ({
      ...replacedColumns(roleFields, input),
      id: role.id,
      search: roleSearchText(input.name ?? role.name, input.description),
    }));
    await updateEach(tx, 'Role', rows);
    const replaced = given.filter(({ input }) => input.attributes);
    if (replaced.length > 0) {
      await tx.later.roleAttribute.deleteMany({ where: { roleId: { in: replaced.map(({ role }) => role.id) } } });
    }
    const attributes = replaced.flatMap(({ role, input }) => attributeRows('roleId', role.id, input.attributes ?? {}));
    if (attributes.length > 0) await tx.roleAttribute.createMany({ data: attributes });
    return readRoles(
      tx,
      given.map(({ role }) => role.id),
    );
  });
}
