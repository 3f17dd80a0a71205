import { type MapperRow, protocolMapperSelect } from '../client-scopes/encode.js';
import type { ScopeOwner } from '../client-scopes/locate.js';
import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import { mappersOf } from './rows.js';

/** A protocol mapper of a client or client scope. */
export interface MapperTarget extends ScopeOwner {
  mapper: MapperRow;
}

/** The owner's protocol mapper with this ID; a mapper of another owner counts as missing. */
export async function mapperById(ctx: Context, target: ScopeOwner, id: string): Promise<MapperTarget> {
  const mapper = await ctx.db.protocolMapper.findFirst({
    where: { id, ...mappersOf(target) },
    select: protocolMapperSelect,
  });
  if (!mapper) throw await missing(ctx, target.realm, 'view:clients', 'Model not found');
  return { ...target, mapper };
}
