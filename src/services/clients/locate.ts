import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../realms/record.js';

export interface ClientTarget {
  realm: RealmRecord;
  client: { id: string; clientId: string; version: number };
}

/** The client with this id (not clientId). */
export async function clientById(ctx: Context, realm: RealmRecord, id: string): Promise<ClientTarget> {
  const client = await ctx.db.client.findFirst({
    where: { id, realmId: realm.id },
    select: { id: true, clientId: true, version: true },
  });
  if (!client) throw await missing(ctx, realm, 'query:clients', 'Could not find client');
  return { realm, client };
}
