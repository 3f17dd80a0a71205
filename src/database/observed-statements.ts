import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import { durations } from '../telemetry/instruments.js';
import { type SpanStart, traced } from '../telemetry/tracer.js';
import type { StatementWatch } from './database-outages.js';
import type { Dialect } from './db.js';
import { withoutTexts } from './statement.js';
import { upkeep } from './statements.js';
import type { Transaction } from './transaction.js';

const statements = durations({
  name: 'realmgate_database_statement_duration_seconds',
  help: 'Duration of statements by kind, from the request of the service to the answer of the database.',
  labelNames: ['kind'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
});

const kinds = new Map(
  ['select', 'with', 'insert', 'update', 'delete', 'commit', 'other'].map((kind) => [kind, statements.labels(kind)]),
);
/** Maximum characters of a statement in a span. */
const mostText = 4000;

const kindOf = (sql: string): string => {
  const from = sql.startsWith(upkeep) ? upkeep.length : 0;
  const word = /^\s*(\w+)/.exec(from > 0 ? sql.slice(from, from + 40) : sql)?.[1]?.toLowerCase() ?? '';
  return kinds.has(word) ? word : 'other';
};

/** The text is that without values. */
function spanOf(dialect: Dialect, sql: string): SpanStart {
  const operation = kindOf(sql).toUpperCase();
  return {
    name: operation,
    kind: 'client',
    isPart: true,
    attributes: {
      'db.system.name': dialect,
      'db.operation.name': operation,
      'db.query.text': withoutTexts(sql).slice(0, mostText),
    },
  };
}

const writing: ReadonlySet<string> = new Set(['with', 'insert', 'update', 'delete']);

/** Whether a statement writes rows. A read-only database still accepts locks and settings. */
const isWriting = (sql: string): boolean => writing.has(kindOf(sql));

/** The place of the observed statements, and the receiver of their outcomes. */
interface Observed {
  readonly dialect: Dialect;
  readonly watch: StatementWatch | undefined;
}

/** The role of a statement: a read outside of transactions, a part of one, or the end of one that has written. */
type Role = 'read' | 'part' | 'stored';

/** Runs a statement in a span, and notes how long it took. */
async function observed<T>({ dialect, watch }: Observed, sql: string, role: Role, send: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    const result = await traced(() => spanOf(dialect, sql), send);
    watch?.succeeded(role === 'stored');
    return result;
  } catch (error) {
    watch?.failed(error, role !== 'read');
    throw error;
  } finally {
    kinds.get(kindOf(sql))?.observe((performance.now() - started) / 1000);
  }
}

/** Runs a statement that is only queued: PostgreSQL receives it with the next one, whose duration includes it. */
const handedOver = <T>(by: Observed, sql: string, send: () => Promise<T>): Promise<T> =>
  by.dialect === 'sqlite' ? observed(by, sql, 'part', send) : traced(() => spanOf(by.dialect, sql), send);

type Queryable = Pick<SqlQueryable, 'queryRaw' | 'executeRaw'>;

/** Wraps a connection so that its statements are observed: each in a span, and in the metric of durations. */
export const observedOn = (by: Observed, queryable: Queryable): Queryable => ({
  queryRaw: (query) => observed(by, query.sql, 'read', () => queryable.queryRaw(query)),
  executeRaw: (query) =>
    observed(by, query.sql, isWriting(query.sql) ? 'stored' : 'part', () => queryable.executeRaw(query)),
});

/** Wraps a transaction so that its statements and COMMIT are observed. */
export function observedIn(by: Observed, transaction: Transaction): Transaction {
  let hasWritten = false;
  return {
    queryRaw: (query) => observed(by, query.sql, 'part', () => transaction.queryRaw(query)),
    executeRaw(query) {
      hasWritten ||= isWriting(query.sql);
      return observed(by, query.sql, 'part', () => transaction.executeRaw(query));
    },
    later(query, check) {
      hasWritten ||= check === undefined && isWriting(query.sql);
      return handedOver(by, query.sql, () => transaction.later(query, check));
    },
    settle: () => transaction.settle(),
    ...(transaction.own && { own: (row: string, exclusive: boolean) => transaction.own?.(row, exclusive) }),
    commit: () => observed(by, 'COMMIT', hasWritten ? 'stored' : 'part', () => transaction.commit()),
    rollback: () => transaction.rollback(),
  };
}
