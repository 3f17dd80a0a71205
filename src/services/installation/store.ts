import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';

/** The settings of the audience mappers in the realm's client scopes. */
export async function audienceMappers(db: Db, realmId: string): Promise<Record<string, unknown>[]> {
  const mappers = await db.query<{ config: unknown }>(Prisma.sql`
    SELECT m."config" AS "config" FROM "ProtocolMapper" m JOIN "ClientScope" s ON s."id" = m."clientScopeId"
     WHERE s."realmId" = ${realmId} AND m."protocolMapper" = 'oidc-audience-mapper'`);
  return mappers.map(({ config }) => (typeof config === 'string' ? JSON.parse(config) : config));
}
