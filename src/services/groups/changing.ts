import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import { attempt, performAccepted } from '../core/batch-of.js';
import { type Given, replacedColumns } from '../core/fields.js';
import { conflict, type Refusal } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import { groupFields } from './fields.js';
import { namedGroup, tooLong } from './names.js';
import type { GroupInput } from './representation.js';
import { type FullGroup, readGroups, refreshPaths, tooLongAmong } from './store.js';

/** A group behind its lock, and what is to be changed of it. */
export interface GroupChange {
  group: FullGroup;
  input: Omit<GroupInput, 'subGroups' | 'realmRoles' | 'clientRoles'>;
}

const isRenamed = ({ group, input }: GroupChange): boolean => input.name !== undefined && input.name !== group.name;

/** The refusal of a name that another group with the same parent has. */
export const takenName = (name: string | undefined): string => `Sibling group named '${name}' already exists.`;

const placeOf = (parentId: string | null, name: string | undefined): string => JSON.stringify([parentId, name]);

/** The changes, with refusals in place of those whose new names are invalid, or taken by other groups as they are or by earlier changes. */
async function named(tx: Db, realmId: string, changes: readonly GroupChange[]): Promise<(GroupChange | Refusal)[]> {
  const renamed = changes.filter(isRenamed);
  if (renamed.length === 0) return [...changes];
  const siblings = await tx.group.findMany({
    where: {
      realmId,
      container: { in: [...new Set(renamed.map(({ group }) => group.parentId ?? realmId))] },
      name: { in: [...new Set(renamed.flatMap(({ input }) => input.name ?? []))] },
    },
    select: { parentId: true, name: true },
  });
  const taken = new Set(siblings.map(({ parentId, name }) => placeOf(parentId, name)));
  return changes.map((change) => {
    if (!isRenamed(change)) return change;
    return attempt(() => {
      const name = namedGroup(change.input.name);
      const place = placeOf(change.group.parentId, name);
      if (taken.has(place)) throw conflict(takenName(name), 'name', 'NAME_TAKEN');
      taken.add(place);
      return change;
    });
  });
}

/** The columns of a group with the values of an input. */
const writtenRow = (group: { id: string }, input: Given<typeof groupFields>) => ({
  ...replacedColumns(groupFields, input),
  id: group.id,
  ...(input.name !== undefined && { search: input.name.toLowerCase() }),
});

/** Writes the columns of groups, and the paths of all groups below them; with refusals in place of those whose paths would be too long. */
async function writeColumns(tx: Db, changes: readonly GroupChange[]): Promise<(GroupChange | Refusal)[]> {
  await updateEach(
    tx,
    'Group',
    changes.map(({ group, input }) => writtenRow(group, input)),
  );
  const renamed = changes.filter(isRenamed).map(({ group }) => group.id);
  if (renamed.length === 0) return [...changes];
  const refused = await tooLongAmong(tx, renamed);
  const undone = changes.filter(({ group }) => refused.has(group.id));
  await updateEach(
    tx,
    'Group',
    undone.map(({ group }) => writtenRow(group, group)),
  );
  await refreshPaths(tx, renamed);
  return changes.map((change) => (refused.has(change.group.id) ? tooLong('name') : change));
}

/** Renames groups and replaces their attributes where they are given; with refusals in place of what was not done. */
export async function updateGroups(
  tx: Db,
  realm: { id: string },
  changes: readonly GroupChange[],
): Promise<(FullGroup | Refusal)[]> {
  const accepted = await performAccepted(await named(tx, realm.id, changes), (given) => writeColumns(tx, given));
  return performAccepted(accepted, async (given) => {
    const replaced = given.filter(({ input }) => input.attributes);
    if (replaced.length > 0) {
      await tx.later.groupAttribute.deleteMany({ where: { groupId: { in: replaced.map(({ group }) => group.id) } } });
    }
    const rows = replaced.flatMap(({ group, input }) => attributeRows('groupId', group.id, input.attributes ?? {}));
    if (rows.length > 0) await tx.groupAttribute.createMany({ data: rows });
    return readGroups(
      tx,
      given.map(({ group }) => group.id),
    );
  });
}
