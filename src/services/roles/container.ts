import { Prisma } from '../../generated/sqlite/client.js';

interface Identified {
  id: string;
}

/**
 * The condition for the roles of a realm, or of one of its clients. It names the realm and the kind of the container: an
 * id alone never says whose roles are meant.
 */
export const rolesOf = (realm: Identified, container: Identified) =>
  ({
    container: container.id,
    realmId: realm.id,
    clientId: container.id === realm.id ? null : container.id,
  }) satisfies Prisma.RoleWhereInput;

/** The same in SQL, for the table "Role" under the name `r`. */
export const areRolesOf = (realm: Identified, container: Identified): Prisma.Sql =>
  Prisma.sql`r."container" = ${container.id} AND r."realmId" = ${realm.id} AND ${
    container.id === realm.id ? Prisma.sql`r."clientId" IS NULL` : Prisma.sql`r."clientId" = ${container.id}`
  }`;
