import type { Db } from '../../database/db.js';
import { attempt, performAccepted } from '../core/batch-of.js';
import { newColumns } from '../core/fields.js';
import type { IdSource } from '../core/own-id.js';
import { found, type Refusal } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import { groupFields } from './fields.js';
import type { GroupContainer } from './locate.js';
import { fitting, namedGroup, takenHere } from './names.js';
import type { GroupInput } from './representation.js';
import type { FullGroup } from './store.js';

/** A group that is to be created, and where. */
interface NewGroup {
  container: GroupContainer;
  input: GroupInput;
}

const placeOf = (container: string, name: string): string => JSON.stringify([container, name]);

/** The names that groups have already among those that are wanted: what the items of a batch must not have. */
export async function takenPlaces(tx: Db, wanted: readonly NewGroup[]): Promise<ReadonlySet<string>> {
  const containers = [...new Set(wanted.map(({ container }) => container.id))];
  const names = [...new Set(wanted.flatMap(({ input }) => input.name ?? []))];
  const where = { container: { in: containers }, name: { in: names } };
  const present = await tx.group.findMany({ where, select: { container: true, name: true } });
  return new Set(present.map(({ container, name }) => placeOf(container, name)));
}

/** The paths of the groups in which others are created, as they are behind the lock of the tree. */
async function parentPaths(tx: Db, wanted: readonly NewGroup[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(wanted.flatMap(({ container }) => container.parent?.id ?? []))];
  if (ids.length === 0) return new Map();
  const parents = await tx.group.findMany({ where: { id: { in: ids } }, select: { id: true, path: true } });
  return new Map(parents.map(({ id, path }) => [id, path]));
}

/** Creates groups; with refusals in place of those whose names or paths are invalid, or taken. */
export async function createGroups(
  tx: Db,
  { newId }: IdSource,
  wanted: readonly NewGroup[],
  present: ReadonlySet<string> = new Set(),
): Promise<(FullGroup | Refusal)[]> {
  const taken = new Set(present);
  const paths = await parentPaths(tx, wanted);
  const rows = wanted.map(({ container, input }) =>
    attempt(() => {
      const { realm, id: place, parent } = container;
      const name = namedGroup(input.name);
      const above = parent ? found(paths.get(parent.id), 'Could not find group by id') : '';
      const path = `${above}/${name}`;
      fitting(Buffer.byteLength(path));
      if (taken.has(placeOf(place, name))) throw takenHere(input, container);
      taken.add(placeOf(place, name));
      const id = newId();
      const places = { realmId: realm.id, parentId: parent?.id ?? null, container: place };
      const row = { ...newColumns(groupFields, input), ...places, id, name, path };
      return { row, attributes: attributeRows('groupId', id, input.attributes ?? {}) };
    }),
  );
  return performAccepted(rows, async (accepted) => {
    await tx.group.createMany({ data: accepted.map(({ row }) => ({ ...row, search: row.name.toLowerCase() })) });
    const data = accepted.flatMap(({ attributes }) => attributes);
    if (data.length > 0) await tx.groupAttribute.createMany({ data });
    return accepted.map(({ row, attributes }) => ({ ...row, isDefault: false, version: 0, attributes, roles: [] }));
  });
}
