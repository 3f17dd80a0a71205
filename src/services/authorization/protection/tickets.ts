import { z } from 'zod';
import type { Db } from '../../../database/db.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import type { Context } from '../../core/context.js';
import { read, write } from '../../core/operation.js';
import { flag, type Input, int, map, representation, text } from '../../core/shape.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { isServer, ownerOf, type Protected, pathOfServer, touchesServer } from './bearer.js';
import { unknownResource, unknownScope } from './issue.js';

// Users see and decide their own tickets, resource servers all of theirs: the operations and locators check the token.
const allow = 'any:caller';

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

export type TicketRow = Prisma.PermissionTicketGetPayload<{ select: typeof ticketSelect }>;

/** A request for a permission as PermissionTicketRepresentation. */
export const encodeTicket = (row: TicketRow, clientId: string, withNames: boolean) => ({
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

// users may be given by name, too
const filterFields = {
  resourceId: text.optional(),
  scopeId: text.optional(),
  owner: text.optional(),
  requester: text.optional(),
  granted: flag.optional(),
};
const TicketFilter = z.object(filterFields);

function ticketWhere({ server }: Protected, filter: Input<typeof TicketFilter>): Prisma.PermissionTicketWhereInput {
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

/** The filter of the visible tickets at the server: users see tickets that they own or requested. */
function visible(by: Protected): Prisma.PermissionTicketWhereInput {
  const { id } = by.token.user;
  return isServer(by) ? {} : { OR: [{ ownerId: id }, { requesterId: id }] };
}

export const listTickets = read({
  name: 'permissionTicket.list',
  summary: 'Returns permission requests and grants of a resource server. Users get only those that concern them.',
  input: z.object({ ...filterFields, returnNames: flag.optional(), skip: int.optional(), take: int.optional() }),
  allow,
  run: async ({ db }, by: Protected, { skip, take, returnNames, ...filter }): Promise<unknown[]> => {
    if (take === 0) return [];
    const rows = await db.permissionTicket.findMany({
      where: { AND: [ticketWhere(by, filter), visible(by)] },
      select: ticketSelect,
      orderBy: [{ createdTimestamp: 'asc' }, { id: 'asc' }],
      ...(skip !== undefined && { skip }),
      ...(take !== undefined && { take }),
    });
    return rows.map((row) => encodeTicket(row, by.server.clientId, returnNames ?? false));
  },
});

export const countTickets = read({
  name: 'permissionTicket.count',
  summary: 'Returns the number of permission requests and grants.',
  input: TicketFilter,
  allow,
  run: ({ db }, by: Protected, filter) =>
    db.permissionTicket.count({ where: { AND: [ticketWhere(by, filter), visible(by)] } }),
});

/** PermissionTicketRepresentation of the contract. */
export const PermissionTicketRepresentation = representation('PermissionTicketRepresentation', {
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

const about = (by: Protected, { id }: { id: string }) => ({
  resourceType: 'AUTHORIZATION_POLICY',
  resourcePath: `${pathOfServer(by)}/permission/ticket/${id}`,
});

export const addTicket = write({
  name: 'permissionTicket.create',
  summary: 'Grants a user a scope of a resource, or requests it for the user. Only for the owner of the resource.',
  input: PermissionTicketRepresentation,
  allow,
  run: async (tx, by: Protected, input, { ctx }): Promise<TicketRow> => {
    const { services } = ctx;
    const { resource, scope, userId } = await wantedOf(tx, by, input);
    const id = services.newId();
    const now = BigInt(services.now());
    const added = await tx.insertNew('PermissionTicket', [
      {
        id,
        resourceServerId: by.server.id,
        ownerId: resource.ownerId,
        resourceId: resource.id,
        requesterId: userId,
        scopeId: scope.id,
        createdTimestamp: now,
        grantedTimestamp: input.granted === true ? now : null,
      },
    ]);
    if (added === 0) throw invalidPermission('Permission already exists');
    return tx.permissionTicket.findUniqueOrThrow({ where: { id }, select: ticketSelect });
  },
  event: (row, by) => ({
    operationType: 'CREATE',
    ...about(by, row),
    representation: encodeTicket(row, by.server.clientId, false),
  }),
  touches: touchesServer,
});

async function wantedOf(db: Db, by: Protected, input: Input<typeof PermissionTicketRepresentation>) {
  const { realm, server } = by;
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
  // others must not learn which users exist
  if (resource.ownerId !== ownerOf(by)) {
    throw oauthError(403, 'not_authorised', `permissions for [${resource.id}] can be only created by the owner`);
  }
  const who = requester === undefined ? { username: (requesterName ?? '').toLowerCase() } : { id: requester };
  const user = await db.user.findFirst({ where: { realmId: realm.id, ...who }, select: { id: true } });
  if (!user) throw invalidPermission('Requester does not exists in this server as user.');
  return { resource, scope, userId: user.id };
}

/** A request that the caller may decide about. */
async function decidable(db: Db, by: Protected, id: string | undefined): Promise<TicketRow> {
  const row = await db.permissionTicket.findFirst({
    where: { id: id ?? '', resourceServerId: by.server.id },
    select: ticketSelect,
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

export const changeTicket = write({
  name: 'permissionTicket.update',
  summary: 'Grants a permission request or revokes the grant.',
  input: PermissionTicketRepresentation,
  allow,
  run: async (tx, by: Protected, { id, granted = false }, { ctx }): Promise<TicketRow> => {
    const row = await decidable(tx, by, id);
    const where = { id: row.id };
    const grantedTimestamp = BigInt(ctx.services.now());
    if (granted) await tx.later.permissionTicket.updateMany({ where, data: { grantedTimestamp } });
    else await tx.later.permissionTicket.deleteMany({ where });
    return row;
  },
  event: (row, by, { granted = false }) => {
    const before = encodeTicket(row, by.server.clientId, false);
    if (!granted) return { operationType: 'DELETE', ...about(by, row), before };
    return { operationType: 'UPDATE', ...about(by, row), representation: { ...before, granted: true }, before };
  },
  touches: touchesServer,
});

interface DecidedTicket extends Protected {
  ticket: TicketRow;
}

/** A request for a permission that the caller may delete. */
export const decidedTicket = async ({ db }: Context, by: Protected, id: string): Promise<DecidedTicket> => ({
  ...by,
  ticket: await decidable(db, by, id),
});

export const removeTicket = write({
  name: 'permissionTicket.delete',
  summary: 'Deletes a permission request, granted or not.',
  allow,
  run: (tx, { ticket }: DecidedTicket) => tx.later.permissionTicket.deleteMany({ where: { id: ticket.id } }),
  event: (_, by) => ({
    operationType: 'DELETE',
    ...about(by, by.ticket),
    before: encodeTicket(by.ticket, by.server.clientId, false),
  }),
  touches: touchesServer,
});

/** Asks the owners for the permissions of a ticket: one row for each scope that was not requested yet. */
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
  // a unique key does not distinguish rows without a scope
  const whole = await tx.permissionTicket.findMany({
    where: { requesterId, scopeId: null, resourceId: { in: rows.map(({ resourceId }) => resourceId) } },
    select: { resourceId: true },
  });
  const asked = new Set(whole.map(({ resourceId }) => resourceId));
  const missing = rows.filter(({ resourceId, scopeId }) => scopeId !== null || !asked.has(resourceId));
  if (missing.length > 0) await tx.insertNew('PermissionTicket', missing);
}
