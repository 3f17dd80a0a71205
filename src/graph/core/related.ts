import type { InputFieldMap, InputShapeFromFields, InterfaceRef, ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { modelOf } from '../../database/model.js';
import { type Allowing, permissionFor, viewPermission } from '../../services/core/allow.js';
import { type Context, loader } from '../../services/core/context.js';
import { exactText } from '../../services/core/json.js';
import { isEmpty, isNone, type Listing } from '../../services/core/operation.js';
import { batchLoader, paceOf } from '../../services/core/pace.js';
import { Refusal } from '../../services/core/refusal.js';
import { realmById } from '../../services/realms/locate.js';
import type { BuilderTypes } from './builder.js';
import {
  type ConnectionType,
  type ConnectionValue,
  connectionOf,
  nodePaths,
  noRows,
  pageArgs,
  selectionOfNodes,
} from './connection.js';
import { counter, withShown } from './counted.js';
import { type Demand, demandsOf, type Requires } from './demand.js';
import { addField } from './field.js';
import { requireNoNull } from './filters.js';
import { listCost, searchedListCost } from './list-cost.js';
import type { ListArgs, ListType } from './list-type.js';
import { isAllowed, type ModelRef, subjectOf } from './node.js';
import { type OrderKey, type Page, type PageArgs, pageOf } from './page.js';
import { permitById } from './permits.js';
import { type Parent, parentKey, shownBelow } from './shown.js';

type Row = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: what a listing finds does not matter to its permission, visibility and order
type AnyListing = Pick<Listing<any, any, any>, 'name' | 'allow' | 'orderBy' | 'visible' | 'shown'>;

interface RelatedOptions<P, A> {
  /** the relation of the parent's model */
  relation: string;
  /** the to-one relation from a row of a join table to the node */
  through?: string;
  /** the operation of the contract for this list: it determines permission, visibility, and order */
  listing?: AnyListing;
  /** kind of the target of the listing, if its permission depends on it; a function if the parent decides */
  kind?: Demand<P>['kind'];
  /** the requirements of the field, if they are not only the permission of the listing */
  requires?: Requires<P>;
  /** the operation whose missing permission makes the list empty */
  emptyWithout?: Allowing & Pick<AnyListing, 'shown'>;
  /** a listing of such rows that determines their visibility, if `listing` does not */
  visibleAs?: AnyListing;
  /** whether management permissions about the parent do not apply to the rows */
  isParentApart?: true;
  /** the filter and the orders of the type of the nodes */
  list?: Pick<ListType, 'args' | 'where' | 'order'> & Partial<Pick<ListType, 'tells' | 'seen'>>;
  /** columns of the nodes that rows of the join table have themselves */
  joined?: Readonly<Record<string, string>>;
  /** default order of the rows of the relation, with a unique last key; default: the order of the listing */
  order?: readonly OrderKey[] | ((args: A) => readonly OrderKey[]);
  /** filter on the rows of the relation; for a join table on the node */
  where?: (args: A) => Row;
  /**
   * fetches missing rows from elsewhere; returns whether stored rows changed, so that the rows that were read before
   * are outdated
   */
  fetch?: (ctx: Context, realmId: string, args: A) => Promise<boolean>;
  /** the columns to read of each row besides the query's selection */
  reads?: Row;
  /** the columns to read of the parent besides the relation */
  readsOfParent?: Row;
  /** filter on the rows of the join table themselves */
  joins?: Row;
  /** whether the rows of a page are found among very many */
  isSearched?: true;
  /** fields of edges besides cursor and node; `row` is the row of the join table, if there is one */
  flags?: (node: Row, parent: Row, row: Row) => Readonly<Record<string, boolean>>;
}

interface RelatedField<P, F extends InputFieldMap>
  extends RelatedOptions<P, InputShapeFromFields<F> & PageArgs & ListArgs> {
  connection: ConnectionType;
  description: string;
  /** arguments besides the page arguments */
  args?: F;
}

/**
 * Declares a relation of a type as a connection. Its rows are read with the parent, in the same statement and limited
 * for each parent; the count is one statement for all parents.
 */
export function relatedField<P extends object, F extends InputFieldMap = Record<never, never>>(
  parent: ModelRef & (ObjectRef<BuilderTypes, P> | InterfaceRef<BuilderTypes, P>),
  name: string,
  { connection, description, args, ...options }: RelatedField<P, F>,
): void {
  const list = relatedList(parent.modelName, connection, options);
  const { listing, kind } = options;
  const own: Requires<P> = options.requires ?? (listing ? { operation: listing, ...(kind && { kind }) } : []);
  const requires = [...demandsOf(own), ...list.demands];
  const field = {
    type: connection,
    nullable: true,
    description,
    args: { ...pageArgs, ...options.list?.args, ...args },
    requires,
    ...list.field,
  };
  addField(parent, name, () => field);
}

/** The order of a listing for the rows of a relation, by a last key that is unique among them. */
function orderOf(listing: AnyListing | undefined, through: string | undefined): readonly OrderKey[] {
  const keys = (listing?.orderBy ?? []).flatMap((key) =>
    Object.entries(key).map(([path, direction]) => ({ path, ...(direction === 'desc' && { descending: true }) })),
  );
  const own = keys.filter(({ path }) => path !== 'id');
  const last = { ...keys.find(({ path }) => path === 'id'), path: through ? `${through}Id` : 'id' };
  return [...own.map((key) => ({ ...key, path: through ? `${through}.${key.path}` : key.path })), last];
}

type Nested = (selection: unknown, nodes: ReturnType<typeof selectionOfNodes>) => { select?: Row } | true | Row;

/** Selection, resolver, and cost of a connection, with the filters for its visibility. */
function relatedList<P, A extends object>(
  model: string,
  connection: ConnectionType,
  options: RelatedOptions<P, A & PageArgs & ListArgs>,
) {
  const { relation, through, listing, visibleAs, emptyWithout, list, joined = {} } = options;
  const rowModel = relatedModel(model, relation);
  const viewing = visibleAs ?? listing;
  const visible = viewing?.visible;
  const viewAll = visible && { name: viewing.name, allow: viewPermission(visible) };
  const shown = (listing ?? emptyWithout)?.shown;
  const filterOf = (args: A & PageArgs & ListArgs): Row => {
    requireNoNull(args.filter);
    const parts = [options.where?.(args) ?? {}, list?.where(args) ?? {}].filter((part) => !isEmpty(part));
    const where = parts.length > 1 ? { AND: parts } : (parts[0] ?? {});
    return { ...options.joins, ...(through && !isEmpty(where) ? { [through]: where } : where) };
  };
  const { order: usual = orderOf(listing, through) } = options;
  const onRow = (key: OrderKey): OrderKey => {
    if (!through) return key;
    return { ...key, path: joined[key.path] ?? (key.path === 'id' ? `${through}Id` : `${through}.${key.path}`) };
  };
  const orderFor = (args: A & PageArgs & ListArgs) =>
    list?.order(args)?.map(onRow) ?? (typeof usual === 'function' ? usual(args) : usual);
  const toNode = (row: Row) => (through ? row[through] : row) as Row;

  const demands: Demand<never>[] = [
    ...(emptyWithout ? [{ operation: emptyWithout, otherwise: 'EMPTY', isChecked: true } as const] : []),
    ...(viewAll ? [{ operation: viewAll, otherwise: 'FILTERED', isChecked: true } as const] : []),
  ];

  return {
    demands,
    field: {
      complexity: (args: A & PageArgs & ListArgs) => (options.isSearched ? searchedListCost : listCost)(args),
      select(args: A & PageArgs & ListArgs, _ctx: Context, nested: Nested) {
        const page = readable(() => pageOf(rowModel, args, orderFor(args), filterOf(args)));
        // the resolver refuses the arguments, so that the rest of the parent is answered
        if (!page) return { ...options.readsOfParent };
        const inner = nested(true, selectionOfNodes(connection));
        const nodeSelect = inner === true ? {} : ((inner as { select?: Row }).select ?? inner);
        const needed = merge(page.select, options.reads ?? {});
        const ownSelect = through
          ? merge(needed, { [through]: inner === true ? true : inner })
          : merge(needed, nodeSelect as Row);
        return { ...options.readsOfParent, [relation]: { ...page.args, select: ownSelect } };
      },
      async resolve(
        parent: Row,
        args: A & PageArgs & ListArgs,
        ctx: Context,
        info: GraphQLResolveInfo,
      ): Promise<ConnectionValue<Row>> {
        const asked = filterOf(args);
        const whole = pageOf(rowModel, args, orderFor(args), asked);
        const { realmId, about } = subjectOf(model, parent);
        const existing = { ...shown?.(await realmById(ctx, realmId)) };
        const below = { id: String(parent.id), realmId, shown: existing };
        const found = async (filter: Row, page: Page, rows: Row[]) => {
          await paceOf(ctx).turn();
          return connectionOf(
            page,
            rows,
            toNode,
            () => counter(ctx, model, { relation, through }, filter).load(below),
            options.flags && ((row) => options.flags?.(toNode(row), parent, row) ?? {}),
          );
        };
        if (emptyWithout && !(await isAllowed(ctx, realmId, permissionFor(emptyWithout), about))) return noRows();
        const seesAll =
          !viewAll || (await isAllowed(ctx, realmId, viewAll.allow, options.isParentApart ? undefined : about));
        const some = visible && !seesAll ? (await permitById(ctx, realmId)).visible(visible) : {};
        const told = list?.tells?.(args) ?? [];
        const permit = told.length > 0 ? await permitById(ctx, realmId) : undefined;
        const tellable = told.flatMap((kind) => permit?.visible(kind) ?? []).filter((limit) => !isEmpty(limit));
        if ([some, ...tellable].some(isNone)) return noRows();
        const given = await list?.seen?.(ctx, realmId, args);
        const filter = list?.seen ? filterOf({ ...args, filter: given }) : asked;
        const isFetched = (await options.fetch?.(ctx, realmId, args)) ?? false;
        const isStale = isFetched || exactText(filter) !== exactText(asked);
        if (seesAll && isEmpty(existing) && !isStale && tellable.length === 0) {
          return found(filter, whole, parent[relation] as Row[]);
        }
        // the rows that came with the parent may include rows that the caller may not see, or lack some
        const limits = [some, ...tellable].filter((limit) => !isEmpty(limit));
        const seen =
          limits.length === 0
            ? filter
            : { AND: [filter, ...limits.map((limit) => (through ? { [through]: limit } : limit))] };
        const { select = {} } = queryFromInfo({ context: ctx, info, paths: nodePaths }) as { select?: Row };
        const selected = through ? { [through]: { select: { id: true, ...select } } } : select;
        const nested = (exist: Row) => {
          const page = pageOf(rowModel, args, orderFor(args), withShown(seen, exist, through));
          const needed = merge(page.select, options.reads ?? {});
          return { [relation]: { ...page.args, select: merge(needed, selected) } };
        };
        const page = pageOf(rowModel, args, orderFor(args), seen);
        const name = `${fieldPath(info.path)} ${relation} ${exactText(page.args)}`;
        const row = await rowsBelow(ctx, model, name, nested).load(below);
        return found(seen, page, (row?.[relation] ?? []) as Row[]);
      },
    },
  };
}

/** The model of the rows of a relation. */
function relatedModel(model: string, relation: string): ModelName {
  const rows = modelOf(model).fields.get(relation)?.relation?.model;
  if (!rows) throw new Error(`${model} has no relation ${relation}`);
  return rows.name;
}

/** Returns the result of `read`, or undefined if it throws a refusal. */
function readable<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The names of the fields on a path, without indexes of lists. */
const fieldPath = (path: GraphQLResolveInfo['path'] | undefined): string =>
  path ? `${fieldPath(path.prev)}${typeof path.key === 'number' ? '' : `.${path.key}`}` : '';

/** Reads the visible rows below all parents of a request in one statement. */
function rowsBelow(
  ctx: Context,
  model: string,
  name: string,
  nested: (shown: Row) => Row,
): DataLoader<Parent, Row | undefined, string> {
  return loader(ctx, `seen ${model} ${name}`, () => {
    const delegate = delegateOf<Row>(ctx.db, model);
    const read = async (parents: readonly Parent[]) => {
      const where = { id: { in: parents.map(({ id }) => id) } };
      const rows = await delegate.findMany({ where, select: { id: true, ...nested(shownBelow(parents)) } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return parents.map(({ id }) => byId.get(id));
    };
    return batchLoader(ctx, read, { cacheKeyFn: parentKey });
  });
}

/** Adds the columns that cursors need to the selection of a query. */
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
