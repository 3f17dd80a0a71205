import type { SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import { decoded, resultOf, type SentStatement, type StatementAnswer, sentStatement } from './batch-postgresql.js';
import type { StandbyLag } from './db.js';
import { fewAtOnce } from './few-at-once.js';
import type { ReadHints } from './reader.js';
import { type Position, positionIn, primaryPosition, type StandbyPools, standbysOf } from './standbys-postgresql.js';
import { bare, type Means, sendBatch } from './waiting-postgresql.js';

interface Asked {
  statement: SentStatement;
  /** its share of a message */
  share: number;
  resolve: (answer: StatementAnswer) => void;
  reject: (error: unknown) => void;
}

/**
 * Limit of a message: a dozen statements that are known to be short, or two others. They run one after the other on one
 * connection.
 */
const mostTogether = 12;
/** Limits of a short statement and its answer: milliseconds, rows, and characters of each row. */
const short = { time: 1, rows: 20, length: 4000 };
const mostTimes = 1000;

/** How long statements took, by their names. */
class Times {
  readonly #known = new Map<string, number>();

  isShort(name: string | undefined): boolean {
    return name !== undefined && (this.#known.get(name) ?? Number.POSITIVE_INFINITY) < short.time;
  }

  /** Whether statements with this name are known to take long. */
  areLong(name: string | undefined): boolean {
    return name !== undefined && (this.#known.get(name) ?? 0) >= short.time;
  }

  /**
   * A statement that took longer than before may only have waited for others. It counts as slower only after several
   * such runs.
   */
  note(asked: readonly Pick<Asked, 'statement'>[], answers: readonly StatementAnswer[], taken: number): void {
    const each = taken / asked.length;
    if (this.#known.size > mostTimes) this.#known.clear();
    asked.forEach(({ statement: { name } }, at) => {
      if (name === undefined) return;
      const known = this.#known.get(name) ?? Number.POSITIVE_INFINITY;
      this.#known.set(name, isLong(answers[at]?.rows ?? []) ? Number.POSITIVE_INFINITY : Math.min(each, known * 2));
    });
  }
}

const isLong = (rows: StatementAnswer['rows']): boolean =>
  rows.length > short.rows || rows.some((row) => row.some((value) => value !== null && value.length > short.length));

/** The share of the connections that searches and long lists use at a time, so that short statements find a connection and a processor. */
const shareOfSearches = 0.2;
const fewestSearches = 2;

/** Whether the time of a statement depends on the rows of its tables. */
const isSearch = ({ once, scans = [] }: ReadHints): boolean => once === true || scans.length > 0;

/**
 * Runs statements outside of transactions. Statements that arrive at the same moment are sent together: most of the
 * cost of a short statement is its message, because each message wakes a process.
 */
export function readsOn(means: Means, poolsOfStandbys: readonly StandbyPools[] = []): Reads {
  let waiting: Asked[] = [];
  const times = new Times();
  const { max, connectionTimeoutMillis = 0 } = means.pool.options;
  const inLine = fewAtOnce(Math.max(fewestSearches, Math.floor(max * shareOfSearches)), connectionTimeoutMillis);
  const standbys = poolsOfStandbys.length > 0 ? standbysOf(poolsOfStandbys, positionOfPrimary) : undefined;
  const shareOf = ({ once, single, alone }: ReadHints, { name }: SentStatement): number => {
    // statements that may take long get a separate plan
    if (once || alone) return mostTogether;
    return single || times.isShort(name) ? 1 : 6;
  };
  const send = async (asked: readonly Asked[]): Promise<void> => {
    const sentAt = performance.now();
    try {
      const answers = await together(
        means,
        asked.map(({ statement }) => statement),
      );
      times.note(asked, answers, performance.now() - sentAt);
      asked.forEach(({ resolve }, at) => void resolve(answers[at] as StatementAnswer));
    } catch (error) {
      // a failure skips the following statements, so each is sent separately
      if (asked.length > 1) await Promise.all(asked.map((one) => send([one])));
      else asked[0]?.reject(error);
    }
  };
  const sendAll = (): void => {
    let batch: Asked[] = [];
    let size = 0;
    for (const asked of waiting) {
      if (size + asked.share > mostTogether) {
        void send(batch);
        batch = [];
        size = 0;
      }
      batch.push(asked);
      size += asked.share;
    }
    waiting = [];
    void send(batch);
  };
  const enqueue = (statement: SentStatement, share: number): Promise<StatementAnswer> =>
    new Promise<StatementAnswer>((resolve, reject) => {
      waiting.push({ statement, share, resolve, reject });
      // sent after all requests that have arrived by now have added their statements
      if (waiting.length === 1) setImmediate(sendAll);
    });
  const ask = (query: SqlQuery, wantsRows: boolean): Promise<StatementAnswer> => {
    means.note(query);
    const statement = sentStatement(means, query, wantsRows);
    return enqueue(statement, shareOf(query as ReadHints, statement));
  };
  async function positionOfPrimary(): Promise<Position> {
    return positionIn(decoded(await enqueue({ ...bare(primaryPosition, 'position'), wantsRows: true }, 1)));
  }
  /** Asks a standby for statements that take long. */
  const askStandby = async (query: SqlQuery & ReadHints): Promise<StatementAnswer | undefined> => {
    if (!standbys || query.alone || !query.sql.startsWith('SELECT')) return undefined;
    const statement = sentStatement(means, query, true);
    if (!query.once && !times.areLong(statement.name)) return undefined;
    const sentAt = performance.now();
    const answer = await standbys.ask(statement).catch(means.fail);
    if (!answer) return undefined;
    means.note(query);
    times.note([{ statement }], [answer], performance.now() - sentAt);
    return answer;
  };
  return {
    async queryRaw(query) {
      const fromStandby = await askStandby(query);
      if (fromStandby) return resultOf(fromStandby);
      const asked = () => ask(query, true);
      return resultOf(await (isSearch(query as ReadHints) ? inLine(asked) : asked()));
    },
    executeRaw: async (query) => (await ask(query, false)).count,
    lags: async () => standbys?.lags() ?? [],
    close: async () => standbys?.close(),
  };
}

/** Statements outside of transactions, and the end of the connections to standbys. */
interface Reads extends Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> {
  lags(): Promise<StandbyLag[]>;
  close(): Promise<void>;
}

async function together(means: Means, statements: readonly SentStatement[]): Promise<StatementAnswer[]> {
  const client = await means.pool.connect().catch(means.fail);
  try {
    return await sendBatch(client, means, statements, true);
  } finally {
    client.release();
  }
}
