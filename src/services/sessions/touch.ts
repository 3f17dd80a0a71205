import type { Db } from '../../database/db.js';
import { listedNumbers } from '../../database/portable.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Services } from '../core/context.js';
import type { SessionTouches } from '../core/ports.js';
import { inTransaction } from '../core/unit-of-work.js';

const delay = 1000;
/**
 * Remembers when sessions were used and stores it once a second for all of them: a refreshed token does not cost a
 * transaction of its own.
 */
export function createTouches({ database, log }: Pick<Services, 'database' | 'log'>): SessionTouches {
  let sessions = new Map<string, number>();
  let clients = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (sessions.size === 0) return;
    const [users, links] = [sessions, clients];
    sessions = new Map();
    clients = new Map();
    await inTransaction(database.upkeep, async (tx) => {
      await store(tx, 'UserSession', users);
      await store(tx, 'ClientSession', links);
    });
  };
  return {
    touch(sessionId, clientSessionId, at) {
      sessions.set(sessionId, at);
      clients.set(clientSessionId, at);
      timer ??= setTimeout(() => {
        flush().catch((error) => log.warn({ err: error }, 'the last use of sessions could not be stored'));
      }, delay).unref();
    },
    flush,
    close: () => clearTimeout(timer),
  };
}

async function store(tx: Db, table: 'UserSession' | 'ClientSession', used: ReadonlyMap<string, number>): Promise<void> {
  await tx.execute(Prisma.sql`UPDATE ${Prisma.raw(`"${table}"`)} AS s SET "lastAccess" = u."value"
    FROM (${listedNumbers(tx, used)}) u WHERE s."id" = u."id" AND s."lastAccess" < u."value"`);
}
