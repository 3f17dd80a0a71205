import type { ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { modelOf } from '../../database/model.js';
import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import { masterName } from '../../services/realms/defaults/master.js';

type Row = Record<string, unknown>;

/** The source of a type's objects. */
export interface NodeSource {
  model: ModelName;
  /** to-one relations from a row to the row with the realm's column; empty if the row itself has it */
  realmPath: readonly string[];
  /** the columns to read of a row besides its realm */
  reads: Row;
  /** the filter of the rows that are of the type */
  only: Row;
}

/** A row as far as its visibility depends on it. */
export interface NodeRow extends Row {
  id: string;
  realmId: string;
}

/** A condition or selection on the row with the realm, seen from the node's row. */
const along = (path: readonly string[], last: Row, wrap: (inner: Row) => Row): Row =>
  path.reduceRight((inner, relation) => ({ [relation]: wrap(inner) }), last);

function realmOf(row: Row, path: readonly string[]): string {
  const owner = path.reduce<Row>((inner, relation) => inner[relation] as Row, row);
  return String(owner.realmId);
}

/**
 * Finds the row of a node. Concurrent lookups of a type share one statement. Rows of realms in which the caller has no
 * rights are not read at all.
 */
export function nodeRow(ctx: Context, typename: string, source: NodeSource, id: string): Promise<NodeRow | undefined> {
  const { model, realmPath, reads, only } = source;
  const find = async (ids: readonly string[]) => {
    const ofRealm = model === 'Realm';
    if (!ofRealm && realmPath.length === 0 && !modelOf(model).fields.has('realmId')) {
      throw new Error(`guardNode of ${typename} needs a realmPath: a row of ${model} has no realmId`);
    }
    const { realmId: own, realmName } = ctx.caller;
    const near = ofRealm ? { id: own } : along(realmPath, { realmId: own }, (inner) => inner);
    const realm = ofRealm ? {} : along(realmPath, { realmId: true }, (select) => ({ select }));
    const rows = await delegateOf<Row & { id: string }>(ctx.db, model).findMany({
      where: { AND: [{ id: { in: [...ids] } }, only, ...(realmName === masterName ? [] : [near])] },
      select: { id: true, ...realm, ...reads },
    });
    const byId = new Map(
      rows.map((row) => [row.id, { ...row, realmId: ofRealm ? row.id : realmOf(row, realmPath) } as NodeRow]),
    );
    return ids.map((one) => byId.get(one));
  };
  // within a mutation, a row may be deleted by the next read
  const rows = loader(ctx, `rows of ${typename}`, () => batchLoader(ctx, find, { cache: false }));
  return rows.load(id);
}
