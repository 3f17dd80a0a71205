/** The namespace of Prisma: types by the schema, and `Prisma.sql` with its relatives, which write statements. */
export * as Prisma from './prisma-namespace.js';
