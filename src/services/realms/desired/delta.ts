import type { ModelName } from '../../../database/db.js';
import { modelOf } from '../../../database/model.js';
import { inTurns, type Pause } from '../../../database/turns.js';
import { isObject, isSameJson, members } from '../../core/json.js';
import { isMaskedSetting } from '../../core/mask.js';
import type { RealmRows } from '../assemble/draft.js';
import { newClientSecret } from '../assemble/realm.js';
import { isOpen, marking, secretIn } from './assemble.js';
import { hasSecret, isLaterVersion } from './secret-version.js';

/** A row by its columns. */
export type Row = Record<string, unknown>;

export interface UpdatedRow {
  before: Row;
  after: Row;
  /** the columns that differ */
  columns: string[];
}

/** The changes in the table of a model. */
export interface TableDelta {
  inserted: Row[];
  updated: UpdatedRow[];
  deleted: Row[];
}

/** The changes in the tables of a realm; a model without changes is missing. */
export type Delta = ReadonlyMap<ModelName, TableDelta>;

/** Columns with the position or time of a row's creation: a file cannot change them in an existing row. */
export const unchanging: { [M in ModelName]?: readonly string[] } = {
  IdentityProvider: ['position'],
  AuthenticationFlow: ['position'],
  Webhook: ['position', 'createdAt'],
  Credential: ['createdDate'],
  UserConsent: ['createdDate', 'lastUpdatedDate'],
  User: ['createdTimestamp', 'keptFields'],
  Realm: ['name', 'defaultRoleId', 'adminClientId'],
};

/** The rows of all models of a realm by their names, in the order in which they can be inserted. */
export const tablesOf = (rows: RealmRows): [ModelName, Row[]][] => Object.entries(rows) as [ModelName, Row[]][];

/** The key of a row: its primary key. */
export function keyOfRow(model: ModelName, row: Row): string {
  const { primaryKey } = modelOf(model);
  const [first = '', ...others] = primaryKey;
  return others.length === 0 ? String(row[first]) : primaryKey.map((column) => String(row[column])).join('\u0001');
}

/** The rows of a table by their primary keys. Other requests run in between. */
export async function rowsByKey(model: ModelName, rows: readonly Row[], pause: Pause): Promise<Map<string, Row>> {
  return new Map(await inTurns(rows, (row) => [keyOfRow(model, row), row] as const, pause));
}

const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.every((item) => item === '')) ||
  (isObject(value) && Object.keys(value).length === 0);

/** A value in the form in which it is compared: empty values are absent, and texts in a list have no order. */
export function comparable(value: unknown): unknown {
  if (isEmptyValue(value)) return null;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) {
    const items = value.map(comparable);
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => !isEmptyValue(item));
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, item]) => [name, comparable(item)]),
  );
}

/** Whether two values of a column are equivalent. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isSameJson(one, other) || JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));

/** The entries in a text of `marking`. */
export const entriesIn = (value: unknown): Row => (isOpen(value) ? members(JSON.parse(secretIn(value))) : {});

/** A new secret for a client that logs in with one. */
export const newSecretOf = (client: Row): string | null =>
  hasSecret(client) ? marking(newClientSecret(), { model: 'Client', id: '', owner: '', field: 'secret' }) : null;

/** A component or an identity provider with the stored secrets that the file does not give. */
function withKeptEntries(model: 'Component' | 'IdentityProvider', before: Row, after: Row): Row {
  const secrets = { ...entriesIn(before.secrets), ...entriesIn(after.secrets) };
  if (Object.keys(secrets).length === 0) return after;
  const masks = Object.entries(members(before.config)).filter(([, value]) => isMaskedSetting(value));
  return {
    ...after,
    config: { ...Object.fromEntries(masks), ...members(after.config) },
    secrets: marking(JSON.stringify(comparable(secrets)), { model, id: '', owner: '', field: 'secrets' }),
  };
}

/** For each model, how rows get the stored secrets that the file does not give. Rows of other models have none. */
const keepers: { [M in ModelName]?: (before: Row, after: Row) => Row } = {
  Realm: (before, after) => ({ ...after, smtpPassword: after.smtpPassword ?? before.smtpPassword }),
  Client: (before, after) => ({
    ...after,
    secret: after.secret ?? ((isLaterVersion(before, after) && newSecretOf(after)) || before.secret),
    attributes: withKeptMembers(before, after, 'attributes'),
  }),
  AuthenticatorConfig: (before, after) => ({ ...after, config: withKeptMembers(before, after, 'config') }),
  Webhook: (before, after) => ({ ...after, secret: after.secret ?? before.secret }),
  Credential: (before, after) => ({ ...after, secretData: after.secretData ?? before.secretData }),
  Component: (before, after) => withKeptEntries('Component', before, after),
  IdentityProvider: (before, after) => withKeptEntries('IdentityProvider', before, after),
};

/** A row with the stored secrets that the file does not give. */
function withKeptSecrets(model: ModelName, before: Row, given: Row, compares: boolean): Row {
  const after = compares ? given : withoutSecrets(given);
  return keepers[model]?.(before, after) ?? after;
}

/** A row without the secrets that it has. */
function withoutSecrets(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (isOpen(value)) return [name, null];
      if (!isObject(value)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).filter(([, item]) => !isOpen(item)))];
    }),
  );
}

function withKeptMembers(before: Row, after: Row, column: string): Row {
  const kept = Object.entries(members(before[column])).filter(([, value]) => isOpen(value));
  return { ...Object.fromEntries(kept), ...members(after[column]) };
}

/**
 * The desired rows of a realm, with the secrets that it keeps. With `compares` false, kept secrets take the place of
 * secrets in the file. Then nothing that is derived from the rows reveals whether a secret in the file is the same.
 */
export async function withKeptRows(
  before: RealmRows,
  after: RealmRows,
  compares: boolean,
  pause: Pause,
): Promise<RealmRows> {
  const were = new Map(tablesOf(before));
  const tables = new Map<ModelName, Row[]>();
  for (const [model, rows] of tablesOf(after)) {
    if (compares && !keepers[model]) {
      tables.set(model, rows);
      continue;
    }
    const byKey = await rowsByKey(model, were.get(model) ?? [], pause);
    const keep = (row: Row): Row => {
      const was = byKey.get(keyOfRow(model, row));
      return was ? withKeptSecrets(model, was, row, compares) : row;
    };
    tables.set(model, await inTurns(rows, keep, pause));
  }
  return Object.fromEntries(tables) as unknown as RealmRows;
}

/** Compares the current rows of a realm with the desired ones. */
export async function deltaOf(before: RealmRows, after: RealmRows, pause: Pause): Promise<Delta> {
  const delta = new Map<ModelName, TableDelta>();
  const were = new Map(tablesOf(before));
  for (const [model, rows] of tablesOf(after)) {
    const table = await tableDelta(model, were.get(model) ?? [], rows, pause);
    if (table.inserted.length + table.updated.length + table.deleted.length > 0) delta.set(model, table);
  }
  return delta;
}

/** The columns in which two states of a row differ, without the columns that a file cannot change. */
function differingColumns(model: ModelName, before: Row, after: Row): string[] {
  const kept = unchanging[model] ?? [];
  return Object.keys(after).filter((name) => !kept.includes(name) && !isSameColumn(before, after, name));
}

/** The columns in which a row of the realm differs from the given one. Secrets that are not given are ignored. */
export const otherColumns = (model: ModelName, row: Row, given: Row): string[] =>
  differingColumns(model, row, withKeptSecrets(model, row, given, true));

async function tableDelta(
  model: ModelName,
  before: readonly Row[],
  after: readonly Row[],
  pause: Pause,
): Promise<TableDelta> {
  const rest = await rowsByKey(model, before, pause);
  const table: TableDelta = { inserted: [], updated: [], deleted: [] };
  for (const row of after) {
    await pause();
    const key = keyOfRow(model, row);
    const was = rest.get(key);
    rest.delete(key);
    if (!was) {
      table.inserted.push(row);
      continue;
    }
    const columns = differingColumns(model, was, row);
    if (columns.length > 0) table.updated.push({ before: was, after: row, columns });
  }
  return { ...table, deleted: [...rest.values()] };
}

/** Whether a column has the same value in both rows. The entries of a marked text have no order. */
export function isSameColumn(before: Row, after: Row, name: string): boolean {
  const [one, other] = [before[name], after[name]];
  if (name === 'secrets' && isOpen(one) && isOpen(other)) return isSame(entriesIn(one), entriesIn(other));
  return isSame(one, other);
}

/** Whether nothing changes. */
export const isEmptyDelta = (delta: Delta): boolean => delta.size === 0;

/** The desired rows of a model that are created, or changed in one of these columns. */
export function rowsWritten(delta: Delta, model: ModelName, columns: readonly string[]): Row[] {
  const { inserted = [], updated = [] } = delta.get(model) ?? {};
  const changed = updated.filter((update) => columns.some((column) => update.columns.includes(column)));
  return [...inserted, ...changed.map(({ after }) => after)];
}
