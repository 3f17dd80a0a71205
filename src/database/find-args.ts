type Node = Record<string, unknown>;

/** The arguments of Prisma's `findMany` that the compiler supports. */
export interface FindArgs {
  select?: Node | null;
  include?: Node | null;
  where?: unknown;
  orderBy?: unknown;
  take?: number;
  skip?: number;
  cursor?: Node;
}
