import type { ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { delegateOf } from '../../database/delegate.js';
import { type Context, loader } from '../../services/core/context.js';
import { exactText } from '../../services/core/json.js';
import type { Listing } from '../../services/core/operation.js';
import type { Permission } from '../../services/core/permissions.js';
import { builder } from './builder.js';
import { defaultPageSize, maxPageSize } from './limits.js';
import { type About, isAllowed, permitById, requireAllowed } from './node.js';
import { type OrderKey, type Page, type PageArgs, pageOf } from './page.js';

type Row = Record<string, unknown>;

type Edge<N> = { cursor: string; node: N };

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export interface ConnectionValue<N, E extends Edge<N> = Edge<N>> {
  edges: E[];
  pageInfo: PageInfo;
  totalCount: () => Promise<number>;
}

const PageInfoRef = builder.pageInfoRef();

/** Fields that the edges of a connection have besides cursor and node, each a boolean with its description. */
type EdgeFlags = Record<string, string>;

/**
 * The connection and edge types of a node type, e.g. `UserConnection` and `UserEdge`. Where edges tell something of their
 * own, the connection has another name than its node type.
 */
export function connectionType<N, E extends Edge<N> = Edge<N>>(
  name: string,
  node: ObjectRef<never, N> | object,
  flags: EdgeFlags = {},
) {
  const type = node as ObjectRef<never, N>;
  const edge = builder.objectRef<E>(`${name}Edge`).implement({
    description: `An item of a list of ${name}, with its cursor.`,
    fields: (t) => ({
      ...Object.fromEntries(
        Object.entries(flags).map(([flag, description]) => [
          flag,
          t.boolean({ description, resolve: (parent) => (parent as unknown as Row)[flag] === true }),
        ]),
      ),
      cursor: t.string({
        description: 'Cursor of the item. Pass it as `after` or `before`.',
        resolve: ({ cursor }) => cursor,
      }),
      node: t.field({
        type: type as never,
        description: `The object itself, of type ${name}.`,
        resolve: (parent) => parent.node as never,
      }),
    }),
  });
  return builder.objectRef<ConnectionValue<N, E>>(`${name}Connection`).implement({
    description: `A page of a list of ${name}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'Items on this page, with their cursors.',
        complexity: { field: 0, multiplier: 1 },
        resolve: (parent) => parent.edges,
      }),
      pageInfo: t.field({
        type: PageInfoRef,
        description: 'Cursors of the page and whether there are more items.',
        resolve: (parent) => parent.pageInfo as never,
      }),
      totalCount: t.int({
        description: 'Number of items in the whole list. Counted only if requested.',
        resolve: (parent) => parent.totalCount(),
      }),
    }),
  });
}

/** `first`, `after`, `last` and `before`. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `Number of items to return, from the start or after \`after\`. Default ${defaultPageSize}, maximum ${maxPageSize}.`,
  }),
  after: t.string({ description: 'Returns items after this cursor.' }),
  last: t.int({ description: `Number of items to return, from the end or before \`before\`. Maximum ${maxPageSize}.` }),
  before: t.string({ description: 'Returns items before this cursor. Requires `last`.' }),
}));

/** The rows of a page as a connection. */
export const connectionOf = <N>(
  page: Page,
  found: Row[],
  toNode: (row: Row) => N,
  totalCount: () => Promise<number>,
): ConnectionValue<N> => {
  const { rows, hasNextPage, hasPreviousPage } = page.finish(found);
  const edges = rows.map((row) => ({ cursor: page.cursorOf(row), node: toNode(row) }));
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  };
};

const noRows = <N>(): ConnectionValue<N> => ({
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  totalCount: async () => 0,
});

export interface RelatedOptions<A> {
  /** model of the parent, for the count */
  parent: string;
  /** the relation of the parent's model */
  relation: string;
  /** the relation to one that leads from a row of a join table to the node */
  through?: string;
  /** filter on the rows of the relation; for a join table on the node behind it */
  where?: (args: A) => Row;
  /** order of the rows of the relation, the last key unique among them */
  order: readonly OrderKey[] | ((args: A) => readonly OrderKey[]);
  /** permission that the list takes in the parent's realm, or several that it takes together */
  permission: Permission | readonly Permission[] | ((parent: Row) => Permission);
  /** permission without which the list shows only what management permissions let the caller see */
  visible?: Permission;
  /** fetches what is missing from elsewhere; whether that changed what is here, so that the rows came too early */
  fetch?: (ctx: Context, realmId: string, args: A) => Promise<boolean>;
  /** what is read of each row besides what the query asks for */
  reads?: Row;
}

/** Permission and order of a listing of the services, for a relation that shows the same rows. */
export function asListed({ name, allow, orderBy }: AnyListing): { permission: Permission; order: readonly OrderKey[] } {
  if (typeof allow === 'function') throw new Error(`The permission of ${name} depends on what it lists`);
  const order = orderBy.flatMap((key) =>
    Object.entries(key).map(([path, direction]) => ({ path, ...(direction === 'desc' && { descending: true }) })),
  );
  return { permission: allow, order };
}

// biome-ignore lint/suspicious/noExplicitAny: what is listed does not matter to its permission and order
type AnyListing = Pick<Listing<any, any, any>, 'name' | 'allow' | 'orderBy'>;

type Nested = (selection: unknown, path: string[]) => { select?: Row } | true | Row;

/**
 * A relation of the parent as a connection. Its rows come with the parent, in the same statement and limited for each
 * parent; the count is one statement for all parents. Gives `select` and `resolve` of the field.
 */
export function related<A extends object = object, N = unknown>(options: RelatedOptions<A & PageArgs>) {
  const { relation, through } = options;
  const filterOf = (args: A & PageArgs): Row => {
    const where = options.where?.(args) ?? {};
    return through && Object.keys(where).length > 0 ? { [through]: where } : where;
  };
  const orderOf = (args: A & PageArgs) => (typeof options.order === 'function' ? options.order(args) : options.order);
  return {
    complexity: (args: A & PageArgs) => ({ field: 1, multiplier: args.first ?? args.last ?? defaultPageSize }),
    select(args: A & PageArgs, _ctx: Context, nested: Nested) {
      const page = pageOf(args, orderOf(args), filterOf(args));
      const inner = nested(true, ['edges', 'node']);
      const nodeSelect = inner === true ? {} : ((inner as { select?: Row }).select ?? inner);
      const needed = merge(page.select, options.reads ?? {});
      const ownSelect = through
        ? merge(needed, { [through]: inner === true ? true : inner })
        : merge(needed, nodeSelect as Row);
      return { [relation]: { ...page.args, select: ownSelect } };
    },
    async resolve(
      parent: Row,
      args: A & PageArgs,
      ctx: Context,
      info?: GraphQLResolveInfo,
    ): Promise<ConnectionValue<N>> {
      const realmId = String(parent.realmId ?? parent.id);
      const about = aboutOf(options.parent, parent);
      const taken = typeof options.permission === 'function' ? options.permission(parent) : options.permission;
      for (const permission of [taken].flat()) await requireAllowed(ctx, realmId, permission, about);
      const toNode = (row: Row) => (through ? row[through] : row) as N;
      const found = (filter: Row, page: Page, rows: Row[]) =>
        connectionOf(page, rows, toNode, () => counter(ctx, options.parent, relation, filter).load(String(parent.id)));
      const filter = filterOf(args);
      const { visible } = options;
      const seesAll = !visible || (await isAllowed(ctx, realmId, visible, about));
      const kind = seesAll ? undefined : kindBehind[visible];
      // management permissions are about users, groups and clients; of anything else nothing is shown
      const some = kind ? (await permitById(ctx, realmId)).visible(kind) : { id: { in: [] } };
      if (!seesAll && (!info || isNone(some))) return noRows();
      const isStale = (await options.fetch?.(ctx, realmId, args)) ?? false;
      if (!info || (seesAll && !isStale)) {
        return found(filter, pageOf(args, orderOf(args), filter), parent[relation] as Row[]);
      }
      // the rows that came with the parent are not only those that may be seen, or not all of them
      const seen = seesAll ? filter : { AND: [filter, through ? { [through]: some } : some] };
      const page = pageOf(args, orderOf(args), seen);
      const { select = {} } = queryFromInfo({ context: ctx, info, path: ['edges', 'node'] }) as { select?: Row };
      const needed = merge(page.select, options.reads ?? {});
      const selected = merge(needed, through ? { [through]: { select: { id: true, ...select } } } : select);
      const nested = { [relation]: { ...page.args, select: selected } };
      const row = await rowsBelow(ctx, options.parent, `${fieldPath(info.path)} ${relation}`, nested).load(
        String(parent.id),
      );
      return found(seen, page, (row?.[relation] ?? []) as Row[]);
    },
  };
}

const kinds: Readonly<Record<string, About['kind']>> = { user: 'user', group: 'group', client: 'client', role: 'role' };

/** What of the parent management permissions can be about. */
function aboutOf(parent: string, row: Row): About | undefined {
  const kind = kinds[parent];
  return kind && { kind, id: String(row.id), clientId: row.clientId as string | null };
}

/** What lists that ask for a permission have in them. */
const kindBehind: Partial<Record<Permission, 'users' | 'groups' | 'clients'>> = {
  'view:users': 'users',
  'view:groups': 'groups',
  'view:clients': 'clients',
};

const isNone = ({ id }: { id?: { in: unknown } }): boolean => Array.isArray(id?.in) && id.in.length === 0;

/** The names of the fields on the way to one, without the places in lists. */
const fieldPath = (path: GraphQLResolveInfo['path'] | undefined): string =>
  path ? `${fieldPath(path.prev)}${typeof path.key === 'number' ? '' : `.${path.key}`}` : '';

/** Reads the same rows below all parents of a request in one statement. */
function rowsBelow(ctx: Context, parent: string, name: string, nested: Row): DataLoader<string, Row | undefined> {
  return loader(ctx, `seen ${parent} ${name}`, () => {
    const delegate = delegateOf<Row>(ctx.db, parent);
    return new DataLoader(async (ids: readonly string[]) => {
      const rows = await delegate.findMany({ where: { id: { in: [...ids] } }, select: { id: true, ...nested } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id));
    });
  });
}

/** Puts what cursors need of a row beside what the query selects of it. */
function merge(one: Row, other: Row): Row {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = result[key];
    const both = typeof known === 'object' && known !== null && typeof value === 'object' && value !== null;
    if (!both) result[key] = value === true && typeof known === 'object' ? known : value;
    else result[key] = { ...known, ...value, select: merge(selectOf(known), selectOf(value)) };
  }
  return result;
}

const selectOf = (value: object): Row => ('select' in value ? (value.select as Row) : {});

interface CountedRow {
  id: string;
  _count: Record<string, number>;
}

/** Counts the rows of a relation for all parents of a request in one statement. */
function counter(ctx: Context, parent: string, relation: string, where: Row): DataLoader<string, number> {
  return loader(ctx, `count ${parent}.${relation} ${exactText(where)}`, () => {
    const delegate = delegateOf<CountedRow>(ctx.db, parent);
    return new DataLoader(async (ids: readonly string[]) => {
      const rows = await delegate.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, _count: { select: { [relation]: { where } } } },
      });
      const counts = new Map(rows.map((row) => [row.id, row._count[relation] ?? 0]));
      return ids.map((id) => counts.get(id) ?? 0);
    });
  });
}
