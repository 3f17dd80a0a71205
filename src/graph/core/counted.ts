import DataLoader from 'dataloader';
import { delegateOf } from '../../database/delegate.js';
import { type Context, loader } from '../../services/core/context.js';
import { exactText } from '../../services/core/json.js';
import { isEmpty, type Listing } from '../../services/core/operation.js';
import { realmById } from '../../services/realms/locate.js';
import { demandsOf, type Requires } from './demand.js';
import { addField } from './field.js';
import { type ModelRef, subjectOf } from './node.js';

type Row = Record<string, unknown>;

interface CountedField<P> {
  description: string;
  /** the relation of the parent's model */
  relation: string;
  /** the relation to one that leads from a row of a join table to what is counted */
  through?: string;
  /** the operations that list the same: the number is null for callers without their permissions */
  requires?: Requires<P>;
  /** the operation that states which of the rows exist for callers */
  // biome-ignore lint/suspicious/noExplicitAny: what a listing finds does not matter to what is shown of it
  listing?: Pick<Listing<any, any, any>, 'shown'>;
}

/** Declares the number of rows of a relation as a field. It comes with the parent, in the same statement. */
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
    const where: Row = through ? { [through]: shown } : { ...shown };
    return counter(ctx, parent.modelName, relation, where).load(row.id);
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

/** Counts the rows of a relation for all parents of a request in one statement. */
export function counter(ctx: Context, parent: string, relation: string, where: Row): DataLoader<string, number> {
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
