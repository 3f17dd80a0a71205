import type { SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import { Batch, resultOf, type SentStatement, type StatementAnswer, sentStatement } from './batch-postgresql.js';
import type { ReadHints } from './reader.js';
import type { Means } from './waiting-postgresql.js';

interface Asked {
  statement: SentStatement;
  /** its part of what goes together */
  share: number;
  resolve: (answer: StatementAnswer) => void;
  reject: (error: unknown) => void;
}

/** What goes together at most: a dozen of statements for one row each, or two others. One after the other, they share a connection. */
const mostTogether = 12;

const shareOf = ({ once, single, alone }: ReadHints): number => {
  // a plan of its own is for what may take long
  if (once || alone) return mostTogether;
  return single ? 1 : 6;
};

/**
 * Statements outside of transactions. Those that anybody asks for at the same moment go together: to be sent and answered
 * is most of what a short one costs, above all that each message wakes a process.
 */
export function readsOn(means: Means): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> {
  let waiting: Asked[] = [];
  const send = async (asked: readonly Asked[]): Promise<void> => {
    try {
      const answers = await together(
        means,
        asked.map(({ statement }) => statement),
      );
      asked.forEach(({ resolve }, at) => void resolve(answers[at] as StatementAnswer));
    } catch (error) {
      // one that fails has the others skipped: each is sent by itself
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
  const ask = (query: SqlQuery, wantsRows: boolean): Promise<StatementAnswer> => {
    means.note(query);
    return new Promise<StatementAnswer>((resolve, reject) => {
      const share = shareOf(query as ReadHints);
      waiting.push({ statement: sentStatement(means, query, wantsRows), share, resolve, reject });
      // when the requests that have arrived by now have said what they need
      if (waiting.length === 1) setImmediate(sendAll);
    });
  };
  return {
    queryRaw: async (query) => resultOf(await ask(query, true)),
    executeRaw: async (query) => (await ask(query, false)).count,
  };
}

async function together(means: Means, statements: readonly SentStatement[]): Promise<StatementAnswer[]> {
  const client = await means.pool.connect().catch(means.fail);
  try {
    return await client.query(new Batch(statements)).done.catch(means.fail);
  } finally {
    client.release();
  }
}
