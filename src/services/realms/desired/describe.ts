import type { ModelName } from '../../../database/db.js';
import { type Change, changesBetween } from '../../core/changes.js';
import { isObject, members, ownMember, setMember, withLeaves } from '../../core/json.js';
import { mask } from '../../core/mask.js';
import type { RealmRows } from '../assemble/draft.js';
import { isOpen } from './assemble.js';
import { comparable, type Delta, type Row, tablesOf } from './delta.js';
import { type Index, type ObjectKind, type Owner, text, wholes } from './objects.js';
import { parts } from './parts.js';

/** What happens with an object. */
export const actions = ['CREATE', 'UPDATE', 'DELETE'] as const;
type Action = (typeof actions)[number];

interface FieldChange extends Change {
  /** whether the values are secrets: both are masked */
  isSecret: boolean;
}

/** Why an object changes. */
export const reasons = ['NOT_IN_REALM', 'DIFFERS', 'NOT_IN_FILE', 'FOLLOWS', 'REVERTED'] as const;
type Reason = (typeof reasons)[number];

/** An object by its kind and its name. */
export type NamedObject = Pick<PlannedChange, 'kind' | 'key'>;

/** Who has changed an object last, and when, as admin events have it. */
export interface LastChange {
  /** milliseconds since 1970 */
  at: number;
  authRealmId: string;
  authClientId: string;
  authUserId: string;
  /** undefined if the user is gone, or the caller may not view the users of that realm */
  username?: string;
}

/** An object that changes. */
export interface PlannedChange {
  action: Action;
  kind: ObjectKind;
  /** the name of the object among those of its kind: a clientId, the path of a group */
  key: string;
  id: string;
  /** the path of the object below its realm, as admin events have it */
  path: string;
  fields: FieldChange[];
  reason: Reason;
  /** created objects of the same plan that this one refers to: they must exist first */
  dependsOn: NamedObject[];
  /** who has changed the object by hand since the last apply, where admin events say so */
  lastChange?: LastChange;
  /** the object as it is to be, or as it was if it is deleted, without secrets */
  object: Row;
}

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

/** The columns of a row under the names of the contract; the settings of a realm are fields of it. */
function fieldsOf(model: ModelName, row: Row): Row {
  const fields: Row = {};
  const isPart = parts[model] !== undefined;
  for (const [column, value] of Object.entries(row)) {
    if (hidden.has(column) || (isPart && column === 'id') || (isPart && column === 'clientId')) continue;
    if (model === 'Realm' && (column === 'settings' || column === 'parts')) Object.assign(fields, value);
    else fields[wireNames[model]?.[column] ?? column] = value;
  }
  if (model === 'Group') fields.path = row.path;
  return comparable(fields) as Row;
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

/** Numbers what repeats: the second row with the same path in the same object gets the number 2. */
function numbering(): (key: string, path: readonly string[]) => string[] {
  const counts = new Map<string, number>();
  return (key, path) => {
    const place = JSON.stringify([key, path]);
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count === 1 ? [...path] : [...path.slice(0, -1), `${path.at(-1) ?? ''} (${count})`];
  };
}

const ownerKey = ({ model, id }: Owner): string => `${model} ${text(id)}`;

/** An index of the rows by their ids. */
function indexOf(rows: RealmRows): Index {
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

interface Described {
  row: Row;
  model: ModelName;
  object: Row;
}

/** The objects with these keys, with all their parts. */
function describe(rows: RealmRows, at: Index, keys: ReadonlySet<string>): Map<string, Described> {
  const found = new Map<string, Described>();
  const tables = tablesOf(rows);
  const numbered = numbering();
  for (const [model, list] of tables) {
    if (!wholes[model]) continue;
    for (const row of list) {
      const key = ownerKey({ model, id: row.id });
      if (keys.has(key)) found.set(key, { row, model, object: fieldsOf(model, row) });
    }
  }
  for (const [model, list] of tables) {
    const part = parts[model];
    if (!part) continue;
    for (const row of list) {
      const key = ownerKey(part.owner(row, at));
      const described = found.get(key);
      if (!described) continue;
      const path = part.path(row, at);
      const value = part.value ? part.value(row, at) : fieldsOf(model, row);
      put(described.object, part.repeats ? numbered(key, path) : path, value);
    }
  }
  return found;
}

/** Whether a value is a secret, or has one in it. */
const hasSecret = (value: unknown): boolean => {
  if (isOpen(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
};

/** A value with masks in place of its secrets. What has none is not copied. */
const masked = (value: unknown): unknown =>
  hasSecret(value) ? withLeaves(value, (leaf) => (isOpen(leaf) ? mask : leaf)) : value;

/** A change of a field without its secrets. */
function maskedChange({ path, ...values }: Change): FieldChange {
  const [before, after] = [masked(values.before), masked(values.after)];
  return { path, before, after, isSecret: before !== values.before || after !== values.after };
}

const order: Record<Action, number> = { DELETE: 0, UPDATE: 1, CREATE: 2 };

/** Which objects a file is about, as `<model> <id>`. */
export interface FromFile {
  /** those that the file has */
  matched: ReadonlySet<string>;
  /** those that go because the file lacks them */
  missing: ReadonlySet<string>;
}

/** Mappings of scopes are in lists of their own, not in the objects that they belong to. */
const ofOtherLists = 'scopeMappings';

function reasonOf(action: Action, { row, model }: Described, fields: readonly FieldChange[], file: FromFile): Reason {
  const key = ownerKey({ model, id: row.id });
  if (action === 'CREATE') return row.serviceAccountClientId ? 'FOLLOWS' : 'NOT_IN_REALM';
  if (action === 'DELETE') return file.missing.has(key) ? 'NOT_IN_FILE' : 'FOLLOWS';
  const isInFile = model === 'Realm' || model === 'RequiredAction' || file.matched.has(key);
  return isInFile || fields.some(({ path: [list] }) => list === ofOtherLists) ? 'DIFFERS' : 'FOLLOWS';
}

/** Every row that comes or changes, with the object that it belongs to. */
function* writtenRows(delta: Delta, at: Index): Generator<{ row: Row; owner: string }> {
  for (const [model, { inserted, updated }] of delta) {
    const part = parts[model];
    for (const row of [...inserted, ...updated.map(({ after }) => after)]) {
      yield { row, owner: ownerKey(part ? part.owner(row, at) : { model, id: row.id }) };
    }
  }
}

/** The created objects that others refer to, by the keys of the others. */
function dependencies(delta: Delta, at: Index): Map<string, Map<string, NamedObject>> {
  const created = new Map<unknown, { key: string; object: NamedObject }>();
  for (const [model, { inserted }] of delta) {
    const whole = wholes[model];
    if (!whole) continue;
    for (const row of inserted) {
      const object = { kind: whole.kind(row), key: whole.key(row, at) };
      created.set(row.id, { key: ownerKey({ model, id: row.id }), object });
    }
  }
  const found = new Map<string, Map<string, NamedObject>>();
  if (created.size === 0) return found;
  for (const { row, owner } of writtenRows(delta, at)) {
    for (const value of Object.values(row)) {
      const other = created.get(value);
      if (!other || other.key === owner) continue;
      found.set(owner, (found.get(owner) ?? new Map()).set(other.key, other.object));
    }
  }
  return found;
}

const byKindAndKey = (one: NamedObject, other: NamedObject): number =>
  one.kind.localeCompare(other.kind) || (one.key < other.key ? -1 : 1);

/** What the rows that change mean: the objects, and which of their fields, without secrets. Ordered by kind and name. */
export function describeChanges(before: RealmRows, after: RealmRows, delta: Delta, file: FromFile): PlannedChange[] {
  const [was, is] = [indexOf(before), indexOf(after)];
  const keys = new Set<string>();
  for (const [model, { inserted, updated, deleted }] of delta) {
    const part = parts[model];
    const add = (row: Row, at: Index) => keys.add(ownerKey(part ? part.owner(row, at) : { model, id: row.id }));
    for (const row of inserted) add(row, is);
    for (const { before: row, after: next } of updated) {
      add(row, was);
      add(next, is);
    }
    for (const row of deleted) add(row, was);
  }
  const [old, now] = [describe(before, was, keys), describe(after, is, keys)];
  const needed = dependencies(delta, is);
  const changes: PlannedChange[] = [];
  for (const key of keys) {
    const [from, to] = [old.get(key), now.get(key)];
    const subject = to ?? from;
    const kind = subject && wholes[subject.model];
    if (!subject || !kind) continue;
    const action = !from ? 'CREATE' : !to ? 'DELETE' : 'UPDATE';
    const fields = changesBetween(from?.object, to?.object).map(maskedChange);
    changes.push({
      action,
      kind: kind.kind(subject.row),
      key: kind.key(subject.row, to ? is : was),
      id: text(subject.row.id),
      path: kind.path(subject.row),
      fields,
      reason: reasonOf(action, subject, fields, file),
      dependsOn: [...(needed.get(key)?.values() ?? [])].sort(byKindAndKey),
      object: masked(subject.object) as Row,
    });
  }
  return changes.sort(
    (one, other) =>
      one.kind.localeCompare(other.kind) || order[one.action] - order[other.action] || byKindAndKey(one, other),
  );
}
