// The namespace of Prisma's client as the service needs it: the types that `prisma generate` makes of the schema, and those values that
// write statements. The client itself is not part of the service.

export { DbNull, empty, join, raw, Sql, sql } from '@prisma/client-runtime-utils';
export type * from '../generated/sqlite/internal/prismaNamespace.js';
