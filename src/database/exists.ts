import { Prisma } from './prisma.js';
import type { Statement } from './statement.js';

// SQLite from 3.51.0 to 3.53.0, which Node.js 22 has from 22.22.1, turns EXISTS into a join, and its OFFSET then skips
// rows of that join. A page would repeat rows of the page before it. A subquery with a limit is not joined. The limit
// changes no answer, and PostgreSQL drops it.

/** Whether a query finds a row. */
export const exists = (query: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (${query} LIMIT 1)`;

/** Appends a test whether a query, which `write` appends, finds a row. */
export function writeExists(out: Statement, write: () => void): void {
  out.text += 'EXISTS (';
  write();
  out.text += ' LIMIT 1)';
}
