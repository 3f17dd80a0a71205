import type { Db } from '../../database/db.js';
import { deleteInParts } from '../../database/in-parts.js';
import { listed } from '../../database/lists.js';
import { rowLock } from '../../database/locks.js';
import { Prisma } from '../../database/prisma.js';
import { protocolMapperSelect } from '../client-scopes/encode.js';
import { selectStored } from '../core/fields.js';
import { clientFields } from './fields.js';

/** What ClientRepresentation reads. The secret is not among it. */
export const full = {
  ...selectStored(clientFields),
  id: true,
  realmId: true,
  attributes: true,
  authenticationFlowBindingOverrides: true,
  registeredNodes: true,
  version: true,
  protocolMappers: { select: protocolMapperSelect, orderBy: { name: 'asc' } },
  scopes: {
    select: { optional: true, clientScope: { select: { name: true, protocol: true } } },
    orderBy: { clientScope: { name: 'asc' } },
  },
} as const satisfies Prisma.ClientSelect;

/** What an update reads inside its transaction. */
export const updated = {
  ...full,
  secret: true,
  serviceAccount: { select: { id: true, username: true, email: true, firstName: true, lastName: true } },
} as const satisfies Prisma.ClientSelect;

export type FullClient = Prisma.ClientGetPayload<{ select: typeof full }>;
export type UpdatedClient = Prisma.ClientGetPayload<{ select: typeof updated }>;

/** The client in its current state, for the audit record and the answer. */
export const readClient = (db: Db, id: string): Promise<FullClient> =>
  db.client.findUniqueOrThrow({ where: { id }, select: full });

/** Clients in their current state, in the order of the ids. */
export async function readClients(db: Db, ids: readonly string[]): Promise<FullClient[]> {
  const clients = await db.client.findMany({ where: { id: { in: [...ids] } }, select: full });
  const byId = new Map(clients.map((client) => [client.id, client]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Which of some clients administer a realm, and which of some clientIds other clients of a realm have. One statement. */
export async function boundNames(
  tx: Db,
  realmId: string,
  ids: readonly string[],
  clientIds: readonly string[],
): Promise<{ administering: Set<string>; taken: Set<string> }> {
  const rows = await tx.query<{ administering: string | null; taken: string | null }>(Prisma.sql`
    SELECT "adminClientId" AS "administering", NULL AS "taken" FROM "Realm" WHERE "adminClientId" IN (${listed(tx, ids)})
    UNION ALL SELECT NULL, "clientId" FROM "Client"
     WHERE "realmId" = ${realmId} AND "clientId" IN (${listed(tx, clientIds)})`);
  return {
    administering: new Set(rows.flatMap((row) => row.administering ?? [])),
    taken: new Set(rows.flatMap((row) => row.taken ?? [])),
  };
}

/** Gives the service accounts of clients the role of this name that each client has. */
export async function linkOwnRoles(tx: Db, clientIds: readonly string[], name: string): Promise<void> {
  await tx.later.execute(Prisma.sql`
    INSERT INTO "UserRole" ("userId", "roleId", "username")
    SELECT u."id", r."id", u."username" FROM "User" u
      JOIN "Role" r ON r."container" = u."serviceAccountClientId" AND r."clientId" = u."serviceAccountClientId"
       AND r."realmId" = u."realmId" AND r."name" = ${name}
     WHERE u."serviceAccountClientId" IN (${listed(tx, clientIds)}) ${rowLock(tx, 'FOR KEY SHARE OF u')} ON CONFLICT DO NOTHING`);
}

/** A query for the ids of the service accounts of clients, by the ids of these. */
export const accountsOf = (clientIds: readonly string[]): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "User" WHERE "serviceAccountClientId" IN (${Prisma.join(['', ...clientIds])})`;

/** The tables in which a client can have thousands of rows, with the columns that name it. Roles have to be taken from their holders before. */
const parts = [
  ['Role', 'clientId'],
  ['ProtocolMapper', 'clientId'],
  ['ClientSession', 'clientId'],
  ['UserConsent', 'clientId'],
  ['AuthorizationPolicy', 'resourceServerId'],
  ['AuthorizationResource', 'resourceServerId'],
] as const;

/** Deletes what belongs to clients (a query for their IDs), before they are deleted. */
export async function deleteParts(tx: Db, ids: Prisma.Sql): Promise<void> {
  for (const [table, column] of parts)
    await deleteInParts(tx, table, Prisma.sql`${Prisma.raw(`"${column}"`)} IN (${ids})`);
}

/**
 * The attribute `post.logout.redirect.uris` of the clients of a realm that have it, or of the one that is named, by their ids: one
 * statement. Clients can have other attributes of a megabyte, which nobody needs here.
 */
export async function addressesAfterLogout(
  db: Db,
  realmId: string,
  clientId?: string,
): Promise<ReadonlyMap<string, string>> {
  const named = clientId === undefined ? Prisma.empty : Prisma.sql`AND "clientId" = ${clientId}`;
  const rows = await db.query<{ id: string; value: string }>(Prisma.sql`
    SELECT "id" AS "id", "attributes" ->> 'post.logout.redirect.uris' AS "value" FROM "Client"
    WHERE "realmId" = ${realmId} ${named} AND "attributes" ->> 'post.logout.redirect.uris' IS NOT NULL`);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

/** The names of clients, or else their client IDs, by their ids: one statement. */
export async function clientNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.client.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, clientId: true, name: true },
  });
  return new Map(rows.map(({ id, clientId, name }) => [id, name || clientId]));
}
