// The parts of Prisma's client namespace that the service needs: the types that `prisma generate` makes from the
// schema, and the functions that write statements. The client itself is not part of the service.

export { DbNull, empty, join, raw, Sql, sql } from '@prisma/client-runtime-utils';
export type * from '../generated/sqlite/internal/prismaNamespace.js';
