import type DataLoader from 'dataloader';
import { delegateOf } from '../../database/delegate.js';
import { type Context, loader } from '../../services/core/context.js';
import { exactText } from '../../services/core/json.js';
import { isEmpty, type Listing } from '../../services/core/operation.js';
import { batchLoader } from '../../services/core/pace.js';
import { realmById } from '../../services/realms/locate.js';
import { demandsOf, type Requires } from './demand.js';
import { addField } from './field.js';
import { type ModelRef, subjectOf } from './node.js';
import { type Parent, parentKey, shownBelow } from './shown.js';

type Row = Record<string, unknown>;

interface CountedField<P> {
  description: string;
  /** the relation of the parent's model */
  relation: string;
  /** the relation from a row of a join table to the counted object */
  through?: string;
  /** the operations that list the rows: the number is null for callers without their permissions */
  requires?: Requires<P>;
  /** the operation that states whether a row exists for callers */
  // biome-ignore lint/suspicious/noExplicitAny: what a listing finds does not matter to what is shown of it
  listing?: Pick<Listing<any, any, any>, 'shown'>;
}

/** Declares the number of rows of a relation as a field. It is read with the parent, in the same statement. */
export function countedField<P extends object>(
  parent: ModelRef & { readonly $inferType?: P },
  name: string,
  { description, relation, through, requires = [], listing }: CountedField<P>,
): void {
  const demands = demandsOf(requires).map((demand) => ({ ...demand, otherwise: 'NULL' as const }));
  const resolve = async (row: CountedRow, _args: object, ctx: Context): Promise<number> => {
    const { realmId } = subjectOf(parent.modelName, row);
    const shown = listing?.shown?.(await realmById(ctx, realmId)) ?? {};
    if (isEmpty(shown)) return row._count[relation] ?? 0;
    return counter(ctx, parent.modelName, { relation, through }, {}).load({ id: row.id, realmId, shown: { ...shown } });
  };
  addField(parent, name, () => ({
    type: 'Int',
    nullable: demands.length > 0,
    description,
    ...(demands.length > 0 && { requires: demands }),
    select: { _count: { select: { [relation]: true } } },
    resolve,
  }));
}

interface CountedRow {
  id: string;
  _count: Record<string, number>;
}

/** A relation to the rows. */
export interface Relation {
  relation: string;
  /** the relation from a row of a join table to the counted object */
  through: string | undefined;
}

/** A filter of the rows of a relation, combined with the filter of the rows that exist for callers. */
export function withShown(filter: Row, shown: Row, through: string | undefined): Row {
  if (isEmpty(shown)) return filter;
  const own = through ? { [through]: shown } : shown;
  return isEmpty(filter) ? own : { AND: [filter, own] };
}

/** Counts the rows of a relation that match and exist for callers, for all parents of a request in one statement. */
export function counter(
  ctx: Context,
  model: string,
  { relation, through }: Relation,
  filter: Row,
): DataLoader<Parent, number, string> {
  return loader(ctx, `count ${model}.${relation} ${through} ${exactText(filter)}`, () => {
    const delegate = delegateOf<CountedRow>(ctx.db, model);
    const count = async (parents: readonly Parent[]) => {
      const where = withShown(filter, shownBelow(parents), through);
      const rows = await delegate.findMany({
        where: { id: { in: parents.map(({ id }) => id) } },
        select: { id: true, _count: { select: { [relation]: { where } } } },
      });
      const counts = new Map(rows.map((row) => [row.id, row._count[relation] ?? 0]));
      return parents.map(({ id }) => counts.get(id) ?? 0);
    };
    return batchLoader(ctx, count, { cacheKeyFn: parentKey });
  });
}
