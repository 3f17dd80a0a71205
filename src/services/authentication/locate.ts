import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../realms/record.js';
import { type RequiredActionRow, requiredActionSelect } from './encode.js';

export interface RequiredActionTarget {
  realm: RealmRecord;
  action: { id: string } & RequiredActionRow;
}

/** The required action of this alias. */
export async function requiredActionByAlias(
  ctx: Context,
  realm: RealmRecord,
  alias: string,
): Promise<RequiredActionTarget> {
  const action = await ctx.db.requiredAction.findUnique({
    where: { realmId_alias: { realmId: realm.id, alias } },
    select: { id: true, ...requiredActionSelect },
  });
  if (!action) throw await missing(ctx, realm, 'view:required-actions', 'Failed to find required action');
  return { realm, action };
}
