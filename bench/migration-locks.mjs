// Which tables are locked against writers on a PostgreSQL database, and for how long.
import { setTimeout as pause } from 'node:timers/promises';

/** Locks that the writers of a table wait for, by pg_locks of all other sessions. */
const held = `SELECT c.relname AS "table", l.mode AS "mode", l.pid || ' ' || a.xact_start AS "transaction"
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND l.locktype = 'relation' AND l.pid <> pg_backend_pid() AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/**
 * Looks at the locks of others again and again. `stop` answers the longest time of each table and mode, in milliseconds: from the last
 * look without the lock to the first one after it.
 */
export function watchLocks(session) {
  const longest = new Map();
  const open = new Map();
  let running = true;
  const ended = (async () => {
    let before = performance.now();
    while (running) {
      const { rows } = await session.query(held);
      const now = performance.now();
      const seen = new Set();
      for (const { table, mode, transaction } of rows) {
        const key = JSON.stringify([table, mode, transaction]);
        seen.add(key);
        if (!open.has(key)) open.set(key, before);
      }
      for (const [key, since] of open) {
        if (seen.has(key)) continue;
        open.delete(key);
        const [table, mode] = JSON.parse(key);
        const name = `${table} ${mode}`;
        longest.set(name, Math.max(longest.get(name) ?? 0, now - since));
      }
      before = now;
      await pause(1);
    }
  })();
  return {
    async stop() {
      running = false;
      await ended;
      return [...longest].map(([name, ms]) => [...name.split(' '), ms]);
    },
  };
}
