import type { DriverConnection } from './pg-internals.js';

/** Limit of statements with a name. The least recently used ones lose theirs. */
const mostNames = 500;
/** Number of retired names after which a connection closes the statements that have lost their names. */
const retiredAtOnce = 100;

/** The names by text, the least recently used first. */
const names = new Map<string, string>();
const inUse = new Set<string>();
const seenOnce = new Set<string>();
let given = 0;
let retired = 0;
/** number of retired names at the last check of a connection */
const lookedAt = new WeakMap<DriverConnection, number>();

/**
 * A name for a statement from its second use on, so that PostgreSQL parses and plans it once per connection. Names are
 * never reused. When all names are taken, the least recently used statement loses its name.
 */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined) {
    names.delete(sql);
    names.set(sql, known);
    return known;
  }
  if (!seenOnce.delete(sql)) {
    if (seenOnce.size >= mostNames) seenOnce.clear();
    seenOnce.add(sql);
    return undefined;
  }
  const [oldest] = names;
  if (names.size >= mostNames && oldest) {
    const [text, name] = oldest;
    names.delete(text);
    inUse.delete(name);
    retired += 1;
  }
  const name = `s${given}`;
  given += 1;
  names.set(sql, name);
  inUse.add(name);
  return name;
}

/**
 * Closes the statements of a connection that have lost their names: the server keeps a statement and its plan until it
 * is closed.
 */
export function closeRetired(connection: DriverConnection): void {
  if (retired - (lookedAt.get(connection) ?? 0) < retiredAtOnce) return;
  lookedAt.set(connection, retired);
  const { parsedStatements } = connection;
  for (const name of Object.keys(parsedStatements)) {
    if (!/^s\d+$/.test(name) || inUse.has(name)) continue;
    connection.close({ type: 'S', name });
    delete parsedStatements[name];
  }
}
