// Loaded into the service ahead of it: how often each statement of SQLite ran and how long, for `bench/profile.mjs`.
import { sqliteDriver } from '../build/database/sqlite-driver.js';

/** By their text: how many calls, and nanoseconds. */
const spent = new Map();

/** Runs a statement, and notes its time under its text. */
function timed(text, run) {
  const started = process.hrtime.bigint();
  try {
    return run();
  } finally {
    const entry = spent.get(text) ?? { calls: 0, nanoseconds: 0 };
    entry.calls += 1;
    entry.nanoseconds += Number(process.hrtime.bigint() - started);
    spent.set(text, entry);
  }
}

const observedStatement = (text, statement) => ({
  columns: statement.columns,
  all: (values) => timed(text, () => statement.all(values)),
  run: (values) => timed(text, () => statement.run(values)),
});

const observedConnection = (connection) => ({
  get inTransaction() {
    return connection.inTransaction;
  },
  prepare: (text) => observedStatement(text, connection.prepare(text)),
  exec: (text) => timed(text, () => connection.exec(text)),
  close: () => connection.close(),
});

// the service gets the same object: a driver is loaded once
const driver = await sqliteDriver();
const { open } = driver;
driver.open = (...args) => observedConnection(open(...args));

globalThis.statementsOfSqlite = {
  reset: () => spent.clear(),
  taken: () => [...spent].map(([text, { calls, nanoseconds }]) => ({ text, calls, ms: nanoseconds / 1e6 })),
};
