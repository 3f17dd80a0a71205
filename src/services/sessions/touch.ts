import type { Services } from '../core/context.js';
import type { SessionTouches } from '../core/ports.js';
import { inTransaction } from '../core/unit-of-work.js';
import { storeLastAccess } from './store.js';

const delay = 1000;

/**
 * Remembers when sessions were used and stores it once a second for all of them, so that refreshing a token does not
 * need a separate transaction.
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
      await storeLastAccess(tx, 'UserSession', users);
      await storeLastAccess(tx, 'ClientSession', links);
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
