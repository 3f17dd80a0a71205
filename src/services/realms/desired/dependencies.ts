import type { ModelName } from '../../../database/db.js';
import { byModel } from '../../../database/model.js';
import type { Delta, Row } from './delta.js';
import { type Index, type NamedObject, type Owner, wholes } from './objects.js';
import { type ByObject, byObject, ownerOf } from './whole-objects.js';

/** The columns of a model that can refer to another object. */
const referring = byModel(({ scalars }) => scalars.flatMap(({ name }) => (name.endsWith('Id') ? [name] : [])));

/** Every created or changed row, with its changed references to other objects. */
function* writtenRows(delta: Delta): Generator<{ model: ModelName; row: Row; columns: readonly string[] }> {
  for (const [model, { inserted, updated }] of delta) {
    const columns = referring(model);
    for (const row of inserted) yield { model, row, columns };
    for (const { after: row } of updated) yield { model, row, columns };
  }
}

interface Created {
  owner: Owner;
  object: NamedObject;
}

/** The objects that are created, by their IDs. */
function createdObjects(delta: Delta, at: Index): Map<unknown, Created> {
  const created = new Map<unknown, Created>();
  for (const [model, { inserted }] of delta) {
    const whole = wholes[model];
    if (!whole) continue;
    for (const row of inserted) {
      const object = { kind: whole.kind(row), key: whole.key(row, at) };
      created.set(row.id, { owner: { model, id: row.id }, object });
    }
  }
  return created;
}

/** The created objects that others refer to, by the others. */
export function dependencies(delta: Delta, at: Index): ByObject<Set<NamedObject>> {
  const created = createdObjects(delta, at);
  const found = byObject<Set<NamedObject>>();
  if (created.size === 0) return found;
  for (const { model, row, columns } of writtenRows(delta)) {
    for (const column of columns) {
      const other = created.get(row[column]);
      if (!other) continue;
      const owner = ownerOf(model, row, at);
      if (other.owner.model === owner.model && other.owner.id === owner.id) continue;
      const known = found.get(owner);
      if (known) known.add(other.object);
      else found.set(owner, new Set([other.object]));
    }
  }
  return found;
}

/** The order of objects: by their kinds and names. */
export const byKindAndKey = (one: NamedObject, other: NamedObject): number =>
  one.kind.localeCompare(other.kind) || (one.key < other.key ? -1 : 1);
