import { clientById } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { clientScopeSelect, type FullScope } from './encode.js';

/** A client scope with all that its representation shows. */
export interface ScopeTarget {
  realm: RealmRecord;
  scope: FullScope;
}

/** A client or a client scope: what has protocol mappers and a scope of roles. */
export interface ScopeOwner {
  realm: RealmRecord;
  owner: { id: string; kind: 'client' | 'client-scope' };
  /** as the caller addressed it, relative to the realm */
  path: string;
}

/** A client as the owner of client scopes. */
export interface ScopedClient {
  realm: RealmRecord;
  client: { id: string; protocol: string | null };
}

/** The client with this id (not its clientId), with the protocol that its scopes have to be of. */
export const clientWithProtocol = (ctx: Context, realm: RealmRecord, id: string): Promise<ScopedClient> =>
  clientById(ctx, realm, id);

const scopeOf = (ctx: Context, realm: RealmRecord, id: string): Promise<FullScope | null> =>
  ctx.db.clientScope.findFirst({ where: { id, realmId: realm.id }, select: clientScopeSelect });

/** The client scope with this id (not its name). */
export async function scopeById(ctx: Context, realm: RealmRecord, id: string): Promise<ScopeTarget> {
  const scope = await scopeOf(ctx, realm, id);
  if (!scope) throw await missing(ctx, realm, 'list:client-scopes', 'Could not find client scope');
  return { realm, scope };
}

/** The same among the client scopes that new clients of the realm get: the contract has another text there. */
export async function realmScopeById(ctx: Context, realm: RealmRecord, id: string): Promise<ScopeTarget> {
  const scope = await scopeOf(ctx, realm, id);
  if (!scope) throw await missing(ctx, realm, 'manage:realm', 'Client scope not found');
  return { realm, scope };
}

/** The client scope with this id as the owner of mappers and roles. */
export async function scopeAsOwner(ctx: Context, realm: RealmRecord, id: string): Promise<ScopeOwner> {
  const scope = await ctx.db.clientScope.findFirst({ where: { id, realmId: realm.id }, select: { id: true } });
  if (!scope) throw await missing(ctx, realm, 'list:client-scopes', 'Could not find client scope');
  return { realm, owner: { id: scope.id, kind: 'client-scope' }, path: `client-scopes/${scope.id}` };
}

/** The client with this id (not its clientId) as the owner of mappers and roles. */
export async function clientAsOwner(ctx: Context, realm: RealmRecord, id: string): Promise<ScopeOwner> {
  const { client } = await clientById(ctx, realm, id);
  return { realm, owner: { id: client.id, kind: 'client' }, path: `clients/${client.id}` };
}
