import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { type WebhookRow, webhookSelect } from './representation.js';

export interface WebhookTarget {
  realm: RealmRecord;
  webhook: WebhookRow;
}

/** The webhook with this ID. */
export async function webhookById(ctx: Context, realm: RealmRecord, id: string): Promise<WebhookTarget> {
  const webhook = await ctx.db.webhook.findFirst({ where: { id, realmId: realm.id }, select: webhookSelect });
  if (!webhook) throw await missing(ctx, realm, 'view:events', 'Could not find webhook');
  return { realm, webhook };
}

export interface DeliveryTarget extends WebhookTarget {
  delivery: { id: string; eventId: string; eventType: string };
}

/** The attempt with this ID, with its webhook. */
export async function deliveryById(ctx: Context, realm: RealmRecord, id: string): Promise<DeliveryTarget> {
  const found = await ctx.db.webhookDelivery.findFirst({
    where: { id, webhook: { realmId: realm.id } },
    select: { id: true, eventId: true, eventType: true, webhook: { select: webhookSelect } },
  });
  if (!found) throw await missing(ctx, realm, 'view:events', 'Could not find delivery');
  const { webhook, ...delivery } = found;
  return { realm, webhook, delivery };
}
