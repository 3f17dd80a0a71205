import type { SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import { Batch, resultOf, type SentStatement, type StatementAnswer, sentStatement } from './batch-postgresql.js';
import type { Means } from './transaction-postgresql.js';

interface Asked {
  statement: SentStatement;
  resolve: (answer: StatementAnswer) => void;
  reject: (error: unknown) => void;
}

/** More statements than this have a connection of their own. */
const mostTogether = 4;

/**
 * Statements outside of transactions. Those that somebody asks for at the same moment go together: to be sent and answered
 * is most of what a short one costs.
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
  const ask = (query: SqlQuery, wantsRows: boolean): Promise<StatementAnswer> => {
    means.note(query);
    return new Promise<StatementAnswer>((resolve, reject) => {
      waiting.push({ statement: sentStatement(means, query, wantsRows), resolve, reject });
      if (waiting.length > 1) return;
      queueMicrotask(() => {
        const asked = waiting;
        waiting = [];
        for (let at = 0; at < asked.length; at += mostTogether) void send(asked.slice(at, at + mostTogether));
      });
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
