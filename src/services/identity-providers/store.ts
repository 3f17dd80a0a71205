import { Prisma } from '../../database/prisma.js';
import type { Target } from '../core/target.js';

/** A query for the users who are linked to an account at these identity providers, and so may log in by them. */
export const usersOfProviders = ({ realm }: Target, aliases: readonly string[]): Prisma.Sql =>
  Prisma.sql`SELECT f."userId" FROM "FederatedIdentity" f JOIN "User" u ON u."id" = f."userId"
    WHERE u."realmId" = ${realm.id} AND f."identityProvider" IN (${Prisma.join(aliases.length > 0 ? [...aliases] : [''])})`;
