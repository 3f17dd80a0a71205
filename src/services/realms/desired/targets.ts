import type { ModelName } from '../../../database/db.js';
import { modelOf } from '../../../database/model.js';
import { inTurns, type Pause } from '../../../database/turns.js';
import { members } from '../../core/json.js';
import { listsByKey } from '../../core/lists-by-key.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import { withDerived } from '../applied/derived.js';
import { referencesOf } from '../applied/tables.js';
import type { RealmRows } from '../assemble/draft.js';
import { bindingNames } from '../assemble/settings.js';
import { type Delta, deltaOf, type Row, tablesOf } from './delta.js';
import { type NamedObject, objectName, text, wholes } from './objects.js';
import { indexOf, ownerOf } from './whole-objects.js';

/** A row that is created, deleted, or changed. */
interface RowChange {
  model: ModelName;
  before: Row | undefined;
  after: Row | undefined;
  /** the object that it belongs to */
  owner: string;
  /** keys that the row gets, and keys that it gives up */
  gained: readonly string[];
  lost: readonly string[];
}

const keyText = (model: ModelName, value: unknown): string => `${model} ${text(value)}`;

/** Models to whose rows others refer by name in place of an ID. */
const aliased: ReadonlySet<ModelName> = new Set(['AuthenticationFlow', 'IdentityProvider']);

/** The rows that a row names besides its foreign keys: by their IDs or aliases. */
const named: { readonly [M in ModelName]?: (row: Row) => (readonly [ModelName, unknown])[] } = {
  Realm: ({ settings }) => bindingNames.map((name) => ['AuthenticationFlow', members(settings)[name]]),
  Client: ({ authenticationFlowBindingOverrides: flows }) =>
    Object.values(members(flows)).map((id) => ['AuthenticationFlow', id]),
  Component: ({ parentId }) => [['Component', parentId]],
  FederatedIdentity: ({ identityProvider }) => [['IdentityProvider', identityProvider]],
  IdentityProvider: ({ firstBrokerLoginFlowAlias, postBrokerLoginFlowAlias }) => [
    ['AuthenticationFlow', firstBrokerLoginFlowAlias],
    ['AuthenticationFlow', postBrokerLoginFlowAlias],
  ],
  IdentityProviderMapper: ({ identityProviderAlias }) => [['IdentityProvider', identityProviderAlias]],
  User: ({ federationLink }) => [['Component', federationLink]],
};

/** The keys of the rows that a row refers to, in the form of `keysOf`. */
const referredBy = (model: ModelName, row: Row | undefined): string[] =>
  row === undefined
    ? []
    : [
        ...referencesOf(model, row).map((reference) => keyText(reference.model, reference.id)),
        ...(named[model]?.(row) ?? []).map(([other, value]) => keyText(other, value)),
      ];

/** The keys of a row: its unique values, by which other rows refer to it. */
function keysOf(model: ModelName, row: Row | undefined): string[] {
  if (row === undefined) return [];
  const unique = modelOf(model).uniqueKeys.flatMap((columns) => {
    const values = columns.map((column) => row[column]);
    if (columns.join() === 'id' || values.some((value) => value === null || value === undefined)) return [];
    return [keyText(model, JSON.stringify([columns, values.map(String)]))];
  });
  return [keyText(model, row.id), ...(aliased.has(model) ? [keyText(model, row.alias)] : []), ...unique];
}

/** The keys that the first row has and the second one does not. */
function keysBeside(model: ModelName, row: Row | undefined, other: Row | undefined): string[] {
  const others = keysOf(model, other);
  return keysOf(model, row).filter((key) => !others.includes(key));
}

async function changesIn(delta: Delta, states: { before: RealmRows; after: RealmRows }, pause: Pause) {
  const [was, is] = [indexOf(states.before), indexOf(states.after)];
  const changes: RowChange[] = [];
  const add = async (model: ModelName, before: Row | undefined, after: Row | undefined) => {
    await pause();
    const owner = ownerOf(model, after ?? before ?? {}, after ? is : was);
    const [gained, lost] = [keysBeside(model, after, before), keysBeside(model, before, after)];
    changes.push({ model, before, after, owner: keyText(owner.model, owner.id), gained, lost });
  };
  for (const [model, { inserted, updated, deleted }] of delta) {
    for (const row of inserted) await add(model, undefined, row);
    for (const { before, after } of updated) await add(model, before, after);
    for (const row of deleted) await add(model, row, undefined);
  }
  return changes;
}

/** The changes, indexed by their relations to other objects. */
interface Ties {
  byOwner: Map<string, RowChange[]>;
  gaining: Map<string, RowChange[]>;
  losing: Map<string, RowChange[]>;
  /** by the keys to which the row referred before */
  referring: Map<string, RowChange[]>;
  /** the service accounts that are created and deleted with a client */
  accounts: Map<string, RowChange[]>;
}

async function tiesOf(changes: readonly RowChange[], pause: Pause): Promise<Ties> {
  const byKeys = async (keysIn: (change: RowChange) => readonly string[]) => {
    const lists = new Map<string, RowChange[]>();
    for (const change of changes) {
      await pause();
      for (const key of keysIn(change)) {
        const list = lists.get(key);
        if (list) list.push(change);
        else lists.set(key, [change]);
      }
    }
    return lists;
  };
  return {
    byOwner: await byKeys(({ owner }) => [owner]),
    gaining: await byKeys(({ gained }) => gained),
    losing: await byKeys(({ lost }) => lost),
    referring: await byKeys(({ model, before }) => referredBy(model, before)),
    accounts: await byKeys(({ model, before, after }) => {
      const client = model === 'User' && !(before && after) && (after ?? before)?.serviceAccountClientId;
      return client ? [keyText('Client', client)] : [];
    }),
  };
}

/**
 * The changes of some objects, with all changes that they need. Objects that they refer to are created, names that they
 * get become free, and objects that refer to deleted ones are deleted.
 */
async function withNeeded(
  { byOwner, gaining, losing, referring, accounts }: Ties,
  owners: ReadonlySet<string>,
  pause: Pause,
): Promise<Set<RowChange>> {
  // a loop over a set also visits elements that are added during the loop
  const chosen = new Set<RowChange>();
  const choose = (owner: string): void => {
    for (const change of byOwner.get(owner) ?? []) chosen.add(change);
  };
  const chooseObjects = (changes: readonly RowChange[] = []): void => {
    for (const { owner } of changes) choose(owner);
  };
  for (const owner of owners) choose(owner);
  for (const { model, after, owner, gained, lost } of chosen) {
    await pause();
    for (const key of referredBy(model, after)) chooseObjects(gaining.get(key));
    for (const key of gained) chooseObjects(losing.get(key));
    for (const key of lost) {
      for (const other of referring.get(key) ?? []) {
        if (wholes[other.model] && !other.after) choose(other.owner);
        else chosen.add(other);
      }
    }
    chooseObjects(accounts.get(owner));
  }
  return chosen;
}

/** The rows of a realm in which only these changes are made. */
async function rowsWith(
  chosen: ReadonlySet<RowChange>,
  changes: readonly RowChange[],
  after: RealmRows,
  pause: Pause,
): Promise<RealmRows> {
  const instead = new Map<Row, Row | undefined>();
  const kept: [ModelName, Row][] = [];
  for (const change of changes) {
    if (chosen.has(change)) continue;
    if (change.after) instead.set(change.after, change.before);
    else if (change.before) kept.push([change.model, change.before]);
  }
  const keptRows = listsByKey(kept);
  const written = new Set<Row | undefined>([...chosen].map((change) => change.after));
  const tables = tablesOf(after).map(([model, rows]): [ModelName, Row[]] => {
    const staying = rows.map((row) => (instead.has(row) ? instead.get(row) : row)).filter((row) => row !== undefined);
    return [model, [...staying, ...(keptRows.get(model) ?? [])]];
  });
  const next = Object.fromEntries(tables) as unknown as RealmRows;
  const at = indexOf(next);
  for (const [model, rows] of tables) {
    // columns of users and groups follow from rows of others, too
    const follows = (row: Row) => written.has(row) || model === 'Group' || model === 'User';
    const derived = await inTurns(rows, (row) => (follows(row) ? withDerived(model, row, at) : row), pause);
    Object.assign(next, { [model]: derived });
  }
  return next;
}

/** The objects with these names, in the form of `RowChange.owner`, and the names without an object. */
export async function objectsNamed(targets: readonly NamedObject[], states: readonly RealmRows[], pause: Pause) {
  const missing = new Map(targets.map((target, index) => [objectName(target), index]));
  const wanted = new Set(missing.keys());
  const owners = new Set<string>();
  for (const rows of states) {
    const at = indexOf(rows);
    for (const [model, list] of tablesOf(rows)) {
      const whole = wholes[model];
      if (!whole) continue;
      for (const row of list) {
        await pause();
        const name = objectName({ kind: whole.kind(row), key: whole.key(row, at) });
        if (!wanted.has(name)) continue;
        owners.add(keyText(model, row.id));
        missing.delete(name);
      }
    }
  }
  return { owners, missing };
}

/** Planned changes of a realm. */
export interface Changes {
  /** the rows of the realm after them */
  after: RealmRows;
  delta: Delta;
  /** number of objects that would change besides the targets; undefined if all may change */
  omitted: number | undefined;
  /** refusals of targets that neither the realm nor the file has */
  refusals: Refusal[];
}

/**
 * Returns all changes of a realm, or only the changes of the targets and the objects that they need. Makes breaks for
 * other work.
 */
export async function plannedChanges(
  { before, after: whole }: { before: RealmRows; after: RealmRows },
  targets: readonly NamedObject[] | undefined,
  pause: Pause,
): Promise<Changes> {
  await pause();
  const planned = await deltaOf(before, whole, pause);
  if (targets === undefined) return { after: whole, delta: planned, omitted: undefined, refusals: [] };
  const { owners, missing } = await objectsNamed(targets, [before, whole], pause);
  const changes = await changesIn(planned, { before, after: whole }, pause);
  const chosen = await withNeeded(await tiesOf(changes, pause), owners, pause);
  const after = await rowsWith(chosen, changes, whole, pause);
  const delta = await deltaOf(before, after, pause);
  const others = new Set(changes.map(({ owner }) => owner));
  for (const { owner } of await changesIn(delta, { before, after }, pause)) others.delete(owner);
  const refusals = [...missing].map(([name, index]) =>
    invalid(`Neither the realm nor the file has the object ${name}`, `targets.${index}`),
  );
  return { after, delta, omitted: others.size, refusals };
}
