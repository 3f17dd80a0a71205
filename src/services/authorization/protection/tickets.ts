import { z } from 'zod';
import type { Db } from '../../../database/db.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { decode, flag, json, list, map, representation, text, texts } from '../../core/shape.js';
import { signToken } from '../../keys/sign.js';
import { issuerOf, seconds } from '../../tokens/context.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { isServer, type Protected } from './bearer.js';
import { written } from './resources.js';

const PermissionRequest = representation('PermissionRequest', {
  resource_id: text,
  resource_scopes: texts,
  resource_server_id: text,
  scopes: texts,
  claims: json,
});

const ticketLifespan = 300;

const unknownResource = (id: string) =>
  oauthError(400, 'invalid_resource_id', `Resource set with id [${id}] does not exists in this server.`);
const unknownScope = (name: string) => oauthError(400, 'invalid_scope', `Scope [${name}] is invalid`);

/** A permission ticket, UMA 2.0 Federated Authorization section 4.1: what a client was refused, signed by the realm. */
export async function createTicket(by: Protected, body: unknown, baseUrl: string): Promise<{ ticket: string }> {
  const wanted = decode(list(PermissionRequest), body);
  if (wanted.length === 0) throw oauthError(400, 'invalid_permission_request', 'Invalid permission request.');
  const { context, realm, server, token } = by;
  const ids = wanted.flatMap(({ resource_id: id }) => id ?? []);
  const resources = await context.database.read.authorizationResource.findMany({
    where: { resourceServerId: server.id, OR: [{ id: { in: ids } }, { ownerId: server.id, name: { in: ids } }] },
    select: { id: true, name: true, scopes: { select: { scope: { select: { name: true } } } } },
  });
  const known = await context.database.read.authorizationScope.findMany({
    where: { resourceServerId: server.id, name: { in: wanted.flatMap(({ resource_scopes: names }) => names ?? []) } },
    select: { name: true },
  });
  const permissions = wanted.map(({ resource_id: id, resource_scopes: names = [] }) => {
    const resource = resources.find((one) => one.id === id) ?? resources.find(({ name }) => name === id);
    if (id !== undefined && !resource) throw unknownResource(id);
    const possible = resource ? resource.scopes.map(({ scope }) => scope.name) : known.map(({ name }) => name);
    const wrong = names.find((name) => !possible.includes(name));
    if (wrong !== undefined) throw unknownScope(wrong);
    return { ...(resource && { rsid: resource.id }), scopes: names };
  });
  const at = seconds(context);
  const ticket = await signToken(context, realm, 'RS256', {
    typ: 'permission_ticket',
    iss: issuerOf(baseUrl, realm.name),
    iat: at,
    exp: at + ticketLifespan,
    jti: context.newId(),
    sub: token.user.id,
    azp: server.clientId,
    permissions,
  });
  return { ticket };
}

const ticketSelect = {
  id: true,
  ownerId: true,
  requesterId: true,
  grantedTimestamp: true,
  scopeId: true,
  resourceId: true,
  requester: { select: { username: true } },
  resource: { select: { name: true, user: { select: { username: true } } } },
  scope: { select: { name: true } },
} as const satisfies Prisma.PermissionTicketSelect;

type TicketRow = Prisma.PermissionTicketGetPayload<{ select: typeof ticketSelect }>;

const encodeTicket = (row: TicketRow, clientId: string, withNames: boolean) => ({
  id: row.id,
  owner: row.ownerId,
  resource: row.resourceId,
  ...(row.scopeId !== null && { scope: row.scopeId }),
  granted: row.grantedTimestamp !== null,
  requester: row.requesterId,
  ...(withNames && {
    ownerName: row.resource.user?.username ?? clientId,
    requesterName: row.requester.username,
    resourceName: row.resource.name,
    ...(row.scope && { scopeName: row.scope.name }),
  }),
});

/** What lists of requests can be narrowed by. Users may be given by name, too. */
export interface TicketFilter {
  resourceId?: string | undefined;
  scopeId?: string | undefined;
  owner?: string | undefined;
  requester?: string | undefined;
  granted?: boolean | undefined;
}

function ticketWhere({ server }: Protected, filter: TicketFilter): Prisma.PermissionTicketWhereInput {
  const { resourceId, scopeId, owner, requester, granted } = filter;
  const name = (text: string) => text.toLowerCase();
  return {
    resourceServerId: server.id,
    AND: [
      ...(resourceId ? [{ resourceId }] : []),
      ...(scopeId ? [{ OR: [{ scopeId }, { scope: { name: scopeId } }] }] : []),
      ...(owner ? [{ OR: [{ ownerId: owner }, { resource: { user: { username: name(owner) } } }] }] : []),
      ...(requester ? [{ OR: [{ requesterId: requester }, { requester: { username: name(requester) } }] }] : []),
      ...(granted === undefined ? [] : [{ grantedTimestamp: granted ? { not: null } : null }]),
    ],
  };
}

/** What is asked for and what was granted at the server: users see what concerns them. */
function visible(by: Protected): Prisma.PermissionTicketWhereInput {
  const { id } = by.token.user;
  return isServer(by) ? {} : { OR: [{ ownerId: id }, { requesterId: id }] };
}

export async function listTickets(
  by: Protected,
  filter: TicketFilter,
  { skip, take, returnNames }: { skip?: number; take?: number; returnNames?: boolean },
): Promise<unknown[]> {
  if (take === 0) return [];
  const rows = await by.context.database.read.permissionTicket.findMany({
    where: { AND: [ticketWhere(by, filter), visible(by)] },
    select: ticketSelect,
    orderBy: [{ createdTimestamp: 'asc' }, { id: 'asc' }],
    ...(skip !== undefined && { skip }),
    ...(take !== undefined && { take }),
  });
  return rows.map((row) => encodeTicket(row, by.server.clientId, returnNames ?? false));
}

/** How many there are. */
export const countTickets = (by: Protected, filter: TicketFilter): Promise<number> =>
  by.context.database.read.permissionTicket.count({ where: { AND: [ticketWhere(by, filter), visible(by)] } });

/** PermissionTicketRepresentation of the contract. */
const PermissionTicketRepresentation = representation('PermissionTicketRepresentation', {
  id: text,
  owner: text,
  ownerName: text,
  resource: text,
  resourceName: text,
  scope: text,
  scopeName: text,
  granted: flag,
  requester: text,
  requesterName: text,
  claims: map,
});

const invalidPermission = (description: string) => oauthError(400, 'invalid_permission', description);
const invalidTicket = () => oauthError(400, 'invalid_request', 'invalid_ticket');

/** Grants, or asks for, something on behalf of somebody: only owners may. */
export async function addTicket(by: Protected, body: unknown): Promise<object> {
  const input = decode(PermissionTicketRepresentation, body);
  const { context, realm, server, token } = by;
  const db = context.database.read;
  if (input.resource === undefined) throw invalidPermission('created permissions should have resource');
  const resource = await db.authorizationResource.findFirst({
    where: { id: input.resource, resourceServerId: server.id },
    select: { id: true, ownerId: true, scopes: { select: { scope: { select: { id: true, name: true } } } } },
  });
  if (!resource) throw unknownResource(input.resource);
  const wanted = input.scope ?? input.scopeName;
  if (wanted === undefined) throw invalidPermission('created permissions should have scope or scopeName');
  const scope = resource.scopes.find(({ scope: { id, name } }) => id === wanted || name === wanted)?.scope;
  if (!scope) throw unknownScope(wanted);
  const { requester, requesterName } = input;
  if (requester === undefined && requesterName === undefined)
    throw invalidPermission('created permissions should have requester or requesterName');
  const who = requester === undefined ? { username: (requesterName ?? '').toLowerCase() } : { id: requester };
  const user = await db.user.findFirst({ where: { realmId: realm.id, ...who }, select: { id: true } });
  if (!user) throw invalidPermission('Requester does not exists in this server as user.');
  if (resource.ownerId !== token.user.id) {
    throw oauthError(403, 'not_authorised', `permissions for [${resource.id}] can be only created by the owner`);
  }
  const key = { resourceId: resource.id, requesterId: user.id, scopeId: scope.id };
  const id = context.newId();
  const row = await written(by, 'permissionTicket.create', async (tx) => {
    const granted = input.granted === true ? BigInt(context.now()) : null;
    const added = await tx.insertNew('PermissionTicket', [
      {
        id,
        resourceServerId: server.id,
        ownerId: resource.ownerId,
        ...key,
        createdTimestamp: BigInt(context.now()),
        grantedTimestamp: granted,
      },
    ]);
    if (added === 0) throw invalidPermission('Permission already exists');
    return tx.permissionTicket.findUniqueOrThrow({ where: { id }, select: ticketSelect });
  });
  return encodeTicket(row, server.clientId, false);
}

async function ticketOf(tx: Db, by: Protected, id: string | undefined) {
  const row = await tx.permissionTicket.findFirst({
    where: { id: id ?? '', resourceServerId: by.server.id },
    select: { id: true, ownerId: true },
  });
  if (!row) throw invalidTicket();
  if (row.ownerId !== by.token.user.id && !isServer(by))
    throw oauthError(
      403,
      'not_authorised',
      `permissions for [${row.id}] can be updated only by the owner or by the resource server`,
    );
  return row;
}

/** Grants what was asked for, or takes it back. */
export async function changeTicket(by: Protected, body: unknown): Promise<void> {
  const { id, granted = false } = decode(PermissionTicketRepresentation, body);
  await written(by, 'permissionTicket.update', async (tx) => {
    const row = await ticketOf(tx, by, id);
    if (!granted) return tx.later.permissionTicket.deleteMany({ where: { id: row.id } });
    return tx.later.permissionTicket.updateMany({
      where: { id: row.id },
      data: { grantedTimestamp: BigInt(by.context.now()) },
    });
  });
}

/** Deletes a request, granted or not. */
export async function removeTicket(by: Protected, id: string): Promise<void> {
  await written(by, 'permissionTicket.delete', async (tx) => {
    const row = await ticketOf(tx, by, id);
    return tx.later.permissionTicket.deleteMany({ where: { id: row.id } });
  });
}

/** Asks the owners for what a ticket was about: one row for each scope that was not asked for yet. */
export async function submitRequests(
  tx: Db,
  { newId, now }: { newId(): string; now(): number },
  serverId: string,
  requesterId: string,
  wanted: readonly { resourceId: string; ownerId: string; scopeIds: readonly (string | null)[] }[],
): Promise<void> {
  const rows = wanted.flatMap(({ resourceId, ownerId, scopeIds }) =>
    scopeIds.map((scopeId) => ({
      id: newId(),
      resourceServerId: serverId,
      resourceId,
      ownerId,
      requesterId,
      scopeId,
      createdTimestamp: BigInt(now()),
    })),
  );
  if (rows.length === 0) return;
  // a unique key does not tell rows without a scope apart
  const whole = await tx.permissionTicket.findMany({
    where: { requesterId, scopeId: null, resourceId: { in: rows.map(({ resourceId }) => resourceId) } },
    select: { resourceId: true },
  });
  const asked = new Set(whole.map(({ resourceId }) => resourceId));
  const missing = rows.filter(({ resourceId, scopeId }) => scopeId !== null || !asked.has(resourceId));
  if (missing.length > 0) await tx.insertNew('PermissionTicket', missing);
}

/** The claims of a permission ticket. */
export const TicketClaims = z.looseObject({
  typ: z.literal('permission_ticket'),
  azp: z.string(),
  exp: z.number(),
  permissions: z.array(z.object({ rsid: z.string().optional(), scopes: z.array(z.string()).default([]) })),
});
