import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { type ComponentRow, componentSelect } from './encode.js';

export interface ComponentTarget {
  realm: RealmRecord;
  component: ComponentRow;
}

/** The component with this id. */
export async function componentById(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  message = 'Could not find component',
): Promise<ComponentTarget> {
  const component = await ctx.db.component.findFirst({ where: { id, realmId: realm.id }, select: componentSelect });
  if (!component) throw await missing(ctx, realm, 'view:realm', message);
  return { realm, component };
}
