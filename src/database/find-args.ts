type Node = Record<string, unknown>;

/** What a query reads: the arguments of Prisma's `findMany` that the compiler knows. */
export interface FindArgs {
  select?: Node | null;
  include?: Node | null;
  where?: unknown;
  orderBy?: unknown;
  take?: number;
  skip?: number;
  cursor?: Node;
}
