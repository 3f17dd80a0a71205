import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import { requirePresence } from '../core/presence.js';
import type { RealmRecord } from '../core/realm.js';
import { type FullClient, full } from './store.js';

export interface ClientTarget {
  realm: RealmRecord;
  client: { id: string; realmId: string; clientId: string; protocol: string | null; version: number };
}

/** A client with all that its representation shows. */
export interface FullClientTarget {
  realm: RealmRecord;
  client: FullClient;
}

/** A client and a client scope of the same realm. */
export interface ClientScopeOfClientTarget {
  realm: RealmRecord;
  client: { id: string; clientId: string; protocol: string | null };
  scope: { id: string; protocol: string | null };
}

const unknown = (ctx: Context, realm: RealmRecord) => missing(ctx, realm, 'query:clients', 'Could not find client');

/** The client with this id (not clientId). */
export async function clientById(ctx: Context, realm: RealmRecord, id: string): Promise<ClientTarget> {
  const client = await ctx.db.client.findFirst({
    where: { id, realmId: realm.id },
    select: { id: true, realmId: true, clientId: true, protocol: true, version: true },
  });
  if (!client) throw await unknown(ctx, realm);
  return { realm, client };
}

/** A client of whom no more is needed than that it is there. */
export interface ClientRef {
  realm: RealmRecord;
  client: { id: string };
}

/** The same without anything that is known of the client. */
export async function clientRefById(ctx: Context, realm: RealmRecord, id: string): Promise<ClientRef> {
  await requirePresence(ctx, async () => {
    const client = await ctx.db.client.findFirst({ where: { id, realmId: realm.id }, select: { id: true } });
    if (!client) throw await unknown(ctx, realm);
  });
  return { realm, client: { id } };
}

/** The client with this id, in full. */
export async function fullClientById(ctx: Context, realm: RealmRecord, id: string): Promise<FullClientTarget> {
  const client = await ctx.db.client.findFirst({ where: { id, realmId: realm.id }, select: full });
  if (!client) throw await unknown(ctx, realm);
  return { realm, client };
}

/** A client and one of the client scopes that it could have. */
export async function clientWithScope(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  scopeId: string,
): Promise<ClientScopeOfClientTarget> {
  const client = await ctx.db.client.findFirst({
    where: { id, realmId: realm.id },
    select: { id: true, clientId: true, protocol: true },
  });
  if (!client) throw await unknown(ctx, realm);
  const scope = await ctx.db.clientScope.findFirst({
    where: { id: scopeId, realmId: realm.id },
    select: { id: true, protocol: true },
  });
  if (!scope) throw await missing(ctx, realm, 'view:clients', 'Client scope not found');
  return { realm, client, scope };
}
