import type { Db } from '../../database/db.js';
import { modelOf } from '../../database/model.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';

/** Type of the earlier passwords of a user, which nobody is shown. */
export const passwordHistory = 'password-history';

const byName = [{ name: 'asc' }, { position: 'asc' }] as const;

/** What readers of users select. */
export const brief = {
  id: true,
  realmId: true,
  username: true,
  email: true,
  emailVerified: true,
  firstName: true,
  lastName: true,
  enabled: true,
  createdTimestamp: true,
  federationLink: true,
  version: true,
} satisfies Prisma.UserSelect;

export const full = {
  ...brief,
  notBefore: true,
  requiredActions: true,
  attributes: { select: { name: true, value: true }, orderBy: [...byName] },
  _count: { select: { credentials: { where: { type: 'otp' } } } },
} satisfies Prisma.UserSelect;

export const single = {
  ...full,
  federatedIdentities: {
    select: { identityProvider: true, externalUserId: true, externalUsername: true },
    orderBy: [{ identityProvider: 'asc' }],
  },
} satisfies Prisma.UserSelect;

export type SingleUser = Prisma.UserGetPayload<{ select: typeof single }>;

type Updated = 'User' | 'Credential';

type Row = { id: string } & Record<string, unknown>;

const casts: Record<string, string> = { String: 'text', Boolean: 'boolean', Int: 'int', BigInt: 'bigint' };

/**
 * Updates any number of rows in one statement, of each row only the columns that are given for it. A model with a
 * version counts it up.
 */
export async function updateEach(tx: Db, model: Updated, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { fields } = modelOf(model);
  if (rows.length === 1) {
    const { id, ...data } = first;
    const versioned = fields.has('version') ? { ...data, version: { increment: 1 } } : data;
    const update = { where: { id }, data: versioned } as never;
    await (model === 'User' ? tx.later.user.updateMany(update) : tx.later.credential.updateMany(update));
    return;
  }
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => column !== 'id');
  const sqlite = tx.dialect === 'sqlite';
  const set = columns.map((column) => {
    const type = fields.get(column)?.type ?? 'String';
    if (sqlite) {
      return `"${column}" = CASE WHEN json_type(x.value, '$.${column}') IS NULL THEN t."${column}" ELSE json_extract(x.value, '$.${column}') END`;
    }
    const value = type === 'Json' ? `(x.value -> '${column}')::jsonb` : `(x.value ->> '${column}')::${casts[type]}`;
    return `"${column}" = CASE WHEN x.value -> '${column}' IS NULL THEN t."${column}" ELSE ${value} END`;
  });
  if (fields.has('version')) set.push(`"version" = t."version" + 1`);
  const source = sqlite ? 'json_each(' : 'json_array_elements((';
  const ending = sqlite
    ? `) AS x WHERE t."id" = json_extract(x.value, '$.id')`
    : `)::json) AS x(value) WHERE t."id" = x.value ->> 'id'`;
  const payload = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  await tx.later.execute(
    Prisma.sql`${Prisma.raw(`UPDATE "${model}" AS t SET ${set.join(', ')} FROM ${source}`)}${payload}${Prisma.raw(ending)}`,
  );
}

/** Makes writers of these users queue. SQLite has one writer at a time anyhow. */
export async function holdUsers(tx: Db, ids: readonly string[]): Promise<void> {
  if (tx.dialect === 'sqlite' || ids.length === 0) return;
  await tx.query(
    Prisma.sql`SELECT "id" FROM "User" WHERE "id" IN (${listed(tx.dialect, ids)}) ORDER BY "id" FOR NO KEY UPDATE`,
  );
}

/** Counts up the version of a user whose representation changed outside of its own row. */
export const countUp = (tx: Db, id: string) =>
  tx.later.user.updateMany({ where: { id }, data: { version: { increment: 1 } } });
