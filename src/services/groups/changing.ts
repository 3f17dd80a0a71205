import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import { attempt, performAccepted } from '../core/batch-of.js';
import { conflict, type Refusal } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import { namedGroup, tooLong } from './names.js';
import type { GroupInput } from './representation.js';
import { type FullGroup, readGroups, refreshPaths, tooLongAmong } from './store.js';

/** A group behind its lock, and what is to be changed of it. */
export interface GroupChange {
  group: FullGroup;
  input: Pick<GroupInput, 'name' | 'attributes'>;
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

/** Gives groups their names, and all below them their paths; with refusals in place of those whose paths would be too long. */
async function rename(tx: Db, changes: readonly GroupChange[]): Promise<(GroupChange | Refusal)[]> {
  const row = (id: string, name: string | undefined) =>
    name === undefined ? { id } : { id, name, search: name.toLowerCase() };
  await updateEach(
    tx,
    'Group',
    changes.map((change) => row(change.group.id, isRenamed(change) ? change.input.name : undefined)),
  );
  const renamed = changes.filter(isRenamed).map(({ group }) => group.id);
  if (renamed.length === 0) return [...changes];
  const refused = await tooLongAmong(tx, renamed);
  const undone = changes.filter(({ group }) => refused.has(group.id));
  await updateEach(
    tx,
    'Group',
    undone.map(({ group }) => row(group.id, group.name)),
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
  const accepted = await performAccepted(await named(tx, realm.id, changes), (given) => rename(tx, given));
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
