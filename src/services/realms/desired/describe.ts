import type { Pause } from '../../../database/turns.js';
import { type Change, changesBetween } from '../../core/changes.js';
import { withLeaves } from '../../core/json.js';
import { mask } from '../../core/mask.js';
import type { Author, AuthorNames } from '../applied/author-names.js';
import type { RealmRows } from '../assemble/draft.js';
import { administrationGrants } from './administration-grants.js';
import { isOpen } from './assemble.js';
import type { Delta, Row } from './delta.js';
import { byKindAndKey, dependencies } from './dependencies.js';
import { type Index, type NamedObject, type Owner, text, wholes } from './objects.js';
import { isUnknown } from './unknown-values.js';
import { type ByObject, byObject, type Described, describedObjects, indexOf, ownerOf } from './whole-objects.js';

/** The change of an object. */
export const actions = ['CREATE', 'UPDATE', 'DELETE'] as const;
type Action = (typeof actions)[number];

interface FieldChange extends Change {
  /** whether the values are secrets: both are masked */
  isSecret: boolean;
  /** whether the value after the change, or a part of it, is unknown before the apply */
  isUnknown?: boolean;
}

/** The reason for an object's change. */
export const reasons = ['NOT_IN_REALM', 'DIFFERS', 'NOT_IN_FILE', 'FOLLOWS', 'REVERTED'] as const;
type Reason = (typeof reasons)[number];

/** The author and time of an object's last change, from admin events. */
export interface LastChange extends Author, AuthorNames {
  /** milliseconds since 1970 */
  at: number;
}

/** An object that changes. */
export interface PlannedChange extends NamedObject {
  action: Action;
  id: string;
  /** the path of the object below its realm, as in admin events */
  path: string;
  fields: FieldChange[];
  /** administration roles that the object gains, also through composites and groups */
  grants: string[];
  /**
   * for a role or a group: number of users who gain or lose something by the change; undefined if this is impossible
   */
  usersGaining?: number;
  usersLosing?: number;
  reason: Reason;
  /** created objects of the same plan that this one refers to: they must exist first */
  dependsOn: NamedObject[];
  /** the author of the last manual change since the last apply, if there is an admin event */
  lastChange?: LastChange;
  /** the desired object, or the current one if it is deleted, without secrets */
  object: Row;
}

/** Whether a value is a secret, or has one in it. */
const hasSecret = (value: unknown): boolean => {
  if (isOpen(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
};

/** A value with masks in place of its secrets. A value without secrets is not copied. */
const masked = (value: unknown): unknown =>
  hasSecret(value) ? withLeaves(value, (leaf) => (isOpen(leaf) && !isUnknown(leaf) ? mask : leaf)) : value;

/** A change of a field without its secrets. */
function maskedChange({ path, ...values }: Change): FieldChange {
  const [before, after] = [masked(values.before), masked(values.after)];
  return { path, before, after, isSecret: hasSecret(values.before) || hasSecret(values.after) };
}

const order: Record<Action, number> = { DELETE: 0, UPDATE: 1, CREATE: 2 };

/** The objects of a file, as `<model> <id>`. */
export interface FromFile {
  /** objects that the file has */
  matched: ReadonlySet<string>;
  /** objects that are deleted because the file lacks them */
  missing: ReadonlySet<string>;
}

/** Scope mappings are in separate lists, not in the objects that they belong to. */
const ofOtherLists = 'scopeMappings';

function reasonOf(action: Action, { row, model }: Described, fields: readonly FieldChange[], file: FromFile): Reason {
  const key = `${model} ${text(row.id)}`;
  if (action === 'CREATE') return row.serviceAccountClientId ? 'FOLLOWS' : 'NOT_IN_REALM';
  if (action === 'DELETE') return file.missing.has(key) ? 'NOT_IN_FILE' : 'FOLLOWS';
  const isInFile = model === 'Realm' || model === 'RequiredAction' || file.matched.has(key);
  return isInFile || fields.some(({ path: [list] }) => list === ofOtherLists) ? 'DIFFERS' : 'FOLLOWS';
}

/** The objects with changed rows, including rows of their parts. */
async function changedObjects(delta: Delta, was: Index, is: Index, pause: Pause): Promise<ByObject<Owner>> {
  const changed = byObject<Owner>();
  for (const [model, { inserted, updated, deleted }] of delta) {
    const add = (row: Row, at: Index) => {
      const owner = ownerOf(model, row, at);
      changed.set(owner, owner);
    };
    for (const row of inserted) {
      await pause();
      add(row, is);
    }
    for (const { before, after } of updated) {
      await pause();
      add(before, was);
      add(after, is);
    }
    for (const row of deleted) {
      await pause();
      add(row, was);
    }
  }
  return changed;
}

/** The current and the desired rows of a realm. */
interface Compared {
  before: RealmRows;
  after: RealmRows;
  delta: Delta;
  /** the IDs of the administration roles */
  administration: ReadonlySet<unknown>;
}

/** Describes changed rows as objects with their changed fields, without secrets. Ordered by kind and name. */
export async function describeChanges(
  { before, after, delta, administration }: Compared,
  file: FromFile,
  pause: Pause,
): Promise<PlannedChange[]> {
  await pause();
  const [was, is] = [indexOf(before), indexOf(after)];
  const changed = await changedObjects(delta, was, is, pause);
  const old = await describedObjects(before, was, changed, pause);
  const now = await describedObjects(after, is, changed, pause);
  const needed = dependencies(delta, is);
  const grants = administrationGrants({ after, delta, administration }, is);
  const changes: PlannedChange[] = [];
  for (const owner of changed.values()) {
    await pause();
    const [from, to] = [old.get(owner), now.get(owner)];
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
      grants: grants.get(owner) ?? [],
      reason: reasonOf(action, subject, fields, file),
      dependsOn: [...(needed.get(owner) ?? [])].sort(byKindAndKey),
      object: masked(subject.object) as Row,
    });
  }
  return changes.sort(
    (one, other) =>
      one.kind.localeCompare(other.kind) || order[one.action] - order[other.action] || byKindAndKey(one, other),
  );
}
