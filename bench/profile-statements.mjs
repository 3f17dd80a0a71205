// Loaded into the service ahead of it: how often each statement of SQLite ran and how long, for `bench/profile.mjs`.
import Sqlite from 'better-sqlite3';

const database = new Sqlite(':memory:');
const prototype = Object.getPrototypeOf(database.prepare('SELECT 1'));
const connection = Object.getPrototypeOf(database);
database.close();

/** By their text: how many calls, and nanoseconds. */
const spent = new Map();

/** Has each call of a method told under the text that `textOf` finds. */
function told(owner, name, textOf) {
  const original = owner[name];
  owner[name] = function (...values) {
    const started = process.hrtime.bigint();
    try {
      return original.apply(this, values);
    } finally {
      const text = textOf(this, values);
      const entry = spent.get(text) ?? { calls: 0, nanoseconds: 0 };
      entry.calls += 1;
      entry.nanoseconds += Number(process.hrtime.bigint() - started);
      spent.set(text, entry);
    }
  };
}

for (const name of ['all', 'get', 'run']) told(prototype, name, (statement) => statement.source);
told(connection, 'exec', (_, [text]) => text);

globalThis.statementsOfSqlite = {
  reset: () => spent.clear(),
  taken: () => [...spent].map(([text, { calls, nanoseconds }]) => ({ text, calls, ms: nanoseconds / 1e6 })),
};
