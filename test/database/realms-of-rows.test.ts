// @both-databases
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../src/database/db.js';
import { databaseFault } from '../../src/database/errors.js';
import { migrate } from '../../src/database/migrate.js';
import { delegateName, type Field, type Model, modelNames, modelOf } from '../../src/database/model.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { freshDatabaseUrl } from '../support/database.js';

// Every row refers to rows of one realm: whichever of its references leads to another one, the database refuses it. The tables,
// their columns and what these refer to are read from the data model.

/** The roles of the master realm administer other realms. */
const acrossRealms = new Set(['AdministrationRole']);

type Row = Record<string, unknown>;

interface Reference {
  column: string;
  model: string;
}

const referencesOf = (model: Model): Reference[] => {
  const related = [...model.fields.values()].flatMap(({ relation }) =>
    relation?.here ? [{ column: relation.foreignKey, model: relation.model.name }] : [],
  );
  const own = model.fields.has('realmId') && !related.some(({ column }) => column === 'realmId');
  return own ? [...related, { column: 'realmId', model: 'Realm' }] : related;
};

const models = modelNames().map(modelOf);
/** Records of what happened refer to nothing. */
const records = new Set([
  'AdminEvent',
  'AuditBlock',
  'AuditExpiry',
  'LoginEvent',
  'Change',
  'UserCount',
  'OneTimeToken',
]);
const joining = models.filter(
  (model) => referencesOf(model).length > 1 && !acrossRealms.has(model.name) && !records.has(model.name),
);

let database: OpenDatabase;
/** The row of a model in a realm. */
const rows = new Map<string, Row>();
const rowIn = (model: string, realm: string) => rows.get(`${model} ${realm}`);
const idOf = (model: string, realm: string) => rowIn(model, realm)?.id;
let count = 0;

const filled = ({ name, type }: Field): unknown => {
  count += 1;
  const byType: Row = { Int: 0, BigInt: 0n, Boolean: false, Json: {} };
  return type in byType ? byType[type] : `${name}-${count}`;
};

/** A row with values of its own in the columns that need one; its references lead to rows of the realm. */
function rowOf(model: Model, realm: string): Row {
  const references = referencesOf(model);
  const columns = model.scalars.filter(({ name, required, type }) => required && !(name === 'id' && type === 'Int'));
  return Object.fromEntries([
    ...columns.map((field) => [field.name, filled(field)]),
    ...references.map(({ column, model: other }) => [column, idOf(other, realm) ?? null]),
  ]);
}

interface Delegate {
  createMany(rows: { data: object }): Promise<unknown>;
  updateMany(change: { where: object; data: object }): Promise<unknown>;
}
const delegateIn = (tx: Db, { name }: Model) =>
  (tx as unknown as Record<string, Delegate>)[delegateName(name)] as Delegate;

const faultOf = (write: (tx: Db) => Promise<unknown>) =>
  database.transaction(write).then(
    () => 'stored',
    (error: unknown) => databaseFault(error)?.kind ?? String(error),
  );
const inserting = (model: Model, data: Row) => faultOf((tx) => delegateIn(tx, model).createMany({ data }));

/** Whether all that a model needs to refer to is stored. */
const isReady = (model: Model): boolean =>
  referencesOf(model).every(
    ({ column, model: other }) =>
      other === model.name || idOf(other, 'two') !== undefined || !model.fields.get(column)?.required,
  );

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  database = await openDatabase({ databaseUrl, databasePool: 1, sqliteSynchronous: 'NORMAL' });
  const waiting = new Set(models.filter(({ name }) => !records.has(name)));
  // optional references are filled where what they lead to is stored first, so these wait the longest
  const optional = (model: Model) =>
    referencesOf(model).filter(({ column }) => !model.fields.get(column)?.required).length;
  while (waiting.size > 0) {
    const [next] = [...waiting].filter(isReady).sort((a, b) => optional(a) - optional(b));
    if (!next) throw new Error(`Nothing can be stored of ${[...waiting].map(({ name }) => name)}`);
    waiting.delete(next);
    for (const realm of ['one', 'two']) {
      const row = rowOf(next, realm);
      expect(await inserting(next, row), next.name).toBe('stored');
      rows.set(`${next.name} ${realm}`, row);
    }
  }
});

afterAll(() => database?.close());

it('there are tables that join rows', () => {
  expect(joining.length).toBeGreaterThan(20);
});

it.each(joining.map((model) => [model.name, model] as const))(
  'a row of %s refers to one realm',
  async (_name, model) => {
    for (const { column, model: other } of referencesOf(model)) {
      const row = { ...rowOf(model, 'one'), [column]: idOf(other, 'two') };
      expect(await inserting(model, row), `${model.name}.${column}`).toBe('missingReference');
    }
  },
);

const referredTo = new Set(joining.flatMap((model) => referencesOf(model).map(({ model: name }) => name)));
const settled = models.filter(
  (model) =>
    joining.includes(model) ||
    (referredTo.has(model.name) && referencesOf(model).some(({ column }) => column !== 'id')),
);

it.each(settled.map((model) => [model.name, model] as const))(
  'a row of %s stays in its realm',
  async (_name, model) => {
    for (const { column, model: other } of referencesOf(model)) {
      const stored = rowIn(model.name, 'one') ?? {};
      const where = Object.fromEntries(model.primaryKey.map((name) => [name, stored[name]]));
      const data = { [column]: idOf(other, 'two') };
      const fault = await faultOf((tx) => delegateIn(tx, model).updateMany({ where, data }));
      expect(fault, `${model.name}.${column}`).toBe('missingReference');
    }
  },
);
