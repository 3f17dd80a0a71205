import { Prisma } from '../generated/sqlite/client.js';
import type { Database } from './db.js';
import { partsOf } from './flat.js';
import type { Model } from './model.js';
import { put, type Statement } from './statement.js';

/**
 * Appends the number of users that a realm has, which triggers keep, where that is what a count asks for: with those of
 * service accounts or without. Counting a hundred thousand rows takes milliseconds, this does not.
 */
export function writeKeptCount(out: Statement, model: Model, where: unknown): boolean {
  if (model.name !== 'User') return false;
  const { realmId, ...others } = Object.fromEntries(partsOf(where));
  const sum = typeof realmId === 'string' ? sumOf(others) : undefined;
  if (sum) writeSum(out, sum, () => put(out, realmId));
  return sum !== undefined;
}

/** The same for the users of a row of the table of realms. */
export function writeKeptCountOf(
  out: Statement,
  owner: Model,
  relation: string,
  where: unknown,
  alias: string,
): boolean {
  const sum = owner.name === 'Realm' && relation === 'users' ? sumOf(Object.fromEntries(partsOf(where))) : undefined;
  if (sum)
    writeSum(out, sum, () => {
      out.text += `${alias}."id"`;
    });
  return sum !== undefined;
}

function sumOf(filter: Record<string, unknown>): string | undefined {
  const keys = Object.keys(filter);
  if (keys.length === 0) return '"users" + "serviceAccounts"';
  return keys.join() === 'serviceAccountClientId' && filter.serviceAccountClientId === null ? '"users"' : undefined;
}

function writeSum(out: Statement, sum: string, writeRealm: () => void): void {
  out.text += `(SELECT coalesce(sum(${sum}), 0)`;
  if (out.dialect === 'postgresql') out.text += '::int';
  out.text += ' FROM "UserCount" WHERE "realmId" = ';
  writeRealm();
  out.text += ')';
}

/** Makes one row of the many that PostgreSQL's triggers have left for a realm. */
export async function sumUpCounts({ transaction }: Pick<Database, 'transaction'>): Promise<void> {
  await transaction((tx) =>
    tx.execute(Prisma.sql`WITH gone AS (
      DELETE FROM "UserCount" WHERE "realmId" IN (SELECT "realmId" FROM "UserCount" GROUP BY "realmId" HAVING count(*) > 8)
      RETURNING "realmId", "users", "serviceAccounts"
    ) INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts")
      SELECT "realmId", sum("users"), sum("serviceAccounts") FROM gone
      GROUP BY "realmId" HAVING sum("users") <> 0 OR sum("serviceAccounts") <> 0`),
  );
}
