import type { ModelName } from '../../../database/db.js';
import { byModel } from '../../../database/model.js';
import type { Pause } from '../../../database/turns.js';
import { isObject, members, ownMember, setMember } from '../../core/json.js';
import type { RealmRows } from '../assemble/draft.js';
import { comparable, type Row, tablesOf } from './delta.js';
import { type Index, type Owner, wholes } from './objects.js';
import { parts } from './parts.js';

/** Columns that follow from others, or that only the database needs. */
const hidden: ReadonlySet<string> = new Set([
  'search',
  'container',
  'realmId',
  'uniqueEmail',
  'position',
  'defaultRoleId',
  'adminClientId',
  'createdAt',
  'flowId',
  'userId',
  'clientScopeId',
  'resourceServerId',
  'keptFields',
  'path',
  'parentId',
  'serviceAccountClientId',
  'createdTimestamp',
  'createdDate',
  'lastUpdatedDate',
]);

/** Names of columns that the contract calls otherwise. */
const wireNames: { readonly [M in ModelName]?: Readonly<Record<string, string>> } = {
  Realm: { smtpPassword: 'smtpServer.password' },
  User: { federationId: 'federationLink' },
};

/** The columns of a model that are shown, with their names of the contract, in the order of these. */
const columnsOf = byModel(({ name: model, scalars }) => {
  const isPart = parts[model] !== undefined;
  const isHidden = (name: string) => hidden.has(name) || (isPart && (name === 'id' || name === 'clientId'));
  const shown = scalars.flatMap(({ name }) =>
    isHidden(name) ? [] : [[name, wireNames[model]?.[name] ?? name] as const],
  );
  if (model === 'Group') shown.push(['path', 'path']);
  return shown.toSorted(([, one], [, other]) => (one < other ? -1 : 1));
});

/** A realm; its settings are fields of it. */
function fieldsOfRealm(row: Row): Row {
  const fields: Row = {};
  for (const [column, name] of columnsOf('Realm')) {
    if (column === 'settings' || column === 'parts') Object.assign(fields, row[column]);
    else fields[name] = row[column];
  }
  return members(comparable(fields));
}

/** The values of a row under the names of the contract; null if there are none. */
function fieldsOf(model: ModelName, row: Row): Row | null {
  if (model === 'Realm') return fieldsOfRealm(row);
  const fields: Row = {};
  let isEmpty = true;
  for (const [column, name] of columnsOf(model)) {
    const value = comparable(row[column]);
    if (value === null) continue;
    fields[name] = value;
    isEmpty = false;
  }
  return isEmpty ? null : fields;
}

function put(object: Row, path: readonly string[], value: unknown): void {
  let at = object;
  for (const name of path.slice(0, -1)) {
    const known = ownMember(at, name);
    const next = isObject(known) ? known : {};
    setMember(at, name, next);
    at = next;
  }
  const last = path.at(-1) ?? '';
  setMember(at, last, isObject(value) ? { ...members(ownMember(at, last)), ...value } : value);
}

/** Values that belong to objects, which are found by their models and IDs. */
export interface ByObject<T> {
  get(owner: Owner): T | undefined;
  set(owner: Owner, value: T): void;
  values(): Iterable<T>;
}

/**
 * Stores values by the objects that they belong to. Building a text of model and ID for each row would cost more than
 * the work itself.
 */
export function byObject<T>(): ByObject<T> {
  const models = new Map<ModelName, Map<unknown, T>>();
  return {
    get: ({ model, id }) => models.get(model)?.get(id),
    set({ model, id }, value) {
      const ids = models.get(model);
      if (ids) ids.set(id, value);
      else models.set(model, new Map([[id, value]]));
    },
    *values() {
      for (const ids of models.values()) yield* ids.values();
    },
  };
}

/** The object that a row belongs to, or is. */
export const ownerOf = (model: ModelName, row: Row, at: Index): Owner =>
  parts[model]?.owner(row, at) ?? { model, id: row.id };

/** An index of the rows by their IDs. */
export function indexOf(rows: RealmRows): Index {
  const maps = new Map<ModelName, Map<unknown, Row>>();
  return (model, id) => {
    let map = maps.get(model);
    if (!map) {
      map = new Map((rows[model as keyof RealmRows] as Row[]).map((row) => [row.id, row]));
      maps.set(model, map);
    }
    return map.get(id);
  };
}

/** An object with all its parts. */
export interface Described {
  row: Row;
  model: ModelName;
  object: Row;
}

/** Numbers repeated paths: the second row with the same path in the same object gets the number 2. */
function numbering(): (described: Described, path: readonly string[]) => string[] {
  const counts = new Map<Described, Map<string, number>>();
  return (described, path) => {
    const known = counts.get(described) ?? new Map<string, number>();
    counts.set(described, known);
    const place = JSON.stringify(path);
    const count = (known.get(place) ?? 0) + 1;
    known.set(place, count);
    return count === 1 ? [...path] : [...path.slice(0, -1), `${path.at(-1) ?? ''} (${count})`];
  };
}

/** Describes the objects for which `wanted` has a value, with all their parts. */
export async function describedObjects(
  rows: RealmRows,
  at: Index,
  wanted: ByObject<unknown>,
  pause: Pause,
): Promise<ByObject<Described>> {
  const found = byObject<Described>();
  const tables = tablesOf(rows);
  const numbered = numbering();
  for (const [model, list] of tables) {
    if (!wholes[model]) continue;
    for (const row of list) {
      await pause();
      const owner = { model, id: row.id };
      if (wanted.get(owner)) found.set(owner, { row, model, object: fieldsOf(model, row) ?? {} });
    }
  }
  for (const [model, list] of tables) {
    const part = parts[model];
    if (!part) continue;
    for (const row of list) {
      await pause();
      const described = found.get(part.owner(row, at));
      if (!described) continue;
      const path = part.path(row, at);
      const value = part.value ? part.value(row, at) : fieldsOf(model, row);
      put(described.object, part.repeats ? numbered(described, path) : path, value);
    }
  }
  return found;
}
