import type { Prisma, PrismaClient } from '../generated/sqlite/client.js';

/** Name of a model among the members of a client. */
export type DelegateName = Uncapitalize<Prisma.ModelName>;

type Method = 'findUnique' | 'findFirst' | 'findMany' | 'count' | 'createMany' | 'updateMany' | 'deleteMany';
type ArgsOf<D extends DelegateName, M extends Method> = Prisma.Args<PrismaClient[D], M>;
/** The members of a type with these names, if it has them. */
type Only<T, Names extends string> = { [K in keyof T as K extends Names ? K : never]: T[K] };

/** The arguments that select columns and relations. */
type Selection = 'select' | 'include';
type FindUniqueArgs<D extends DelegateName> = Only<ArgsOf<D, 'findUnique'>, Selection | 'where'>;
type FindFirstArgs<D extends DelegateName> = Only<
  ArgsOf<D, 'findFirst'>,
  Selection | 'where' | 'orderBy' | 'cursor' | 'skip'
>;
type FindManyArgs<D extends DelegateName> = Only<ArgsOf<D, 'findMany'>, keyof FindFirstArgs<D> | 'take'>;
type Found<D extends DelegateName, A> = Prisma.Result<PrismaClient[D], A, 'findFirstOrThrow'>;

/** Equal intervals of a column of integers, which are numbered from 0. */
export interface Interval<C> {
  column: C;
  from: bigint;
  size: bigint;
}

/**
 * The methods of a model, with the arguments that reader.ts and writer.ts support. They have Prisma's types, without
 * unsupported members. The types of nested arguments still have these; they are refused when the query is written.
 */
export interface ModelMethods<D extends DelegateName> {
  findMany<A extends FindManyArgs<D>>(args?: Prisma.SelectSubset<A, FindManyArgs<D>>): Promise<Found<D, A>[]>;
  /** The rows of several queries in one statement: a list for each query. */
  findManyEach<A extends FindManyArgs<D>>(args: { queries: readonly A[] }): Promise<Found<D, A>[][]>;
  findFirst<A extends FindFirstArgs<D>>(args?: Prisma.SelectSubset<A, FindFirstArgs<D>>): Promise<Found<D, A> | null>;
  findFirstOrThrow<A extends FindFirstArgs<D>>(args?: Prisma.SelectSubset<A, FindFirstArgs<D>>): Promise<Found<D, A>>;
  findUnique<A extends FindUniqueArgs<D>>(args: Prisma.SelectSubset<A, FindUniqueArgs<D>>): Promise<Found<D, A> | null>;
  findUniqueOrThrow<A extends FindUniqueArgs<D>>(args: Prisma.SelectSubset<A, FindUniqueArgs<D>>): Promise<Found<D, A>>;
  count(args?: Only<ArgsOf<D, 'count'>, 'where'>): Promise<number>;
  /** Numbers of rows by their values in these columns, which are flags, texts or JSON. */
  countBy<C extends keyof Found<D, object>>(
    args: { by: readonly C[] } & Only<ArgsOf<D, 'count'>, 'where'>,
  ): Promise<(Pick<Found<D, object>, C> & { count: number })[]>;
  /**
   * Counts by intervals too: each row counts to the interval of length `size` that contains its value in an integer
   * column. The first interval begins at `from`.
   */
  countByInterval<C extends keyof Found<D, object>>(
    args: { by: readonly C[]; interval: Interval<keyof Found<D, object>> } & Only<ArgsOf<D, 'count'>, 'where'>,
  ): Promise<(Pick<Found<D, object>, C> & { interval: number; count: number })[]>;
  createMany(args: Only<ArgsOf<D, 'createMany'>, 'data'>): Promise<{ count: number }>;
  updateMany(args: Only<ArgsOf<D, 'updateMany'>, 'where' | 'data'>): Promise<{ count: number }>;
  deleteMany(args?: Only<ArgsOf<D, 'deleteMany'>, 'where'>): Promise<{ count: number }>;
}
