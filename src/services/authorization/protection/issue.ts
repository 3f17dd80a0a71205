import { z } from 'zod';
import type { Db } from '../../../database/db.js';
import { read } from '../../core/operation.js';
import { type Input, json, list, record, representation, text, texts } from '../../core/shape.js';
import { signServerToken } from '../../keys/sign.js';
import { issuerOf, seconds } from '../../tokens/context.js';
import { oauthError } from '../../tokens/oauth-error.js';
import type { Protected } from './bearer.js';

// The token is the permission: any user of the resource server may ask.
const allow = 'any:caller';

/** The refusal of a resource that the server does not have. */
export const unknownResource = (id: string) =>
  oauthError(400, 'invalid_resource_id', `Resource set with id [${id}] does not exists in this server.`);
/** The refusal of a scope that the server does not have. */
export const unknownScope = (name: string) => oauthError(400, 'invalid_scope', `Scope [${name}] is invalid`);

const PermissionRequest = representation('PermissionRequest', {
  resource_id: text,
  resource_scopes: texts,
  resource_server_id: text,
  scopes: texts,
  claims: record(json),
});

type PermissionInput = Input<typeof PermissionRequest>;

const ticketLifespan = 300;

export const createTicket = read({
  name: 'permissionTicket.issue',
  summary: 'Issues a permission ticket signed by the realm (UMA 2.0 Federated Authorization, section 4.1).',
  input: list(PermissionRequest),
  allow,
  run: async (ctx, by: Protected, wanted): Promise<{ ticket: string }> => {
    if (wanted.length === 0) throw oauthError(400, 'invalid_permission_request', 'Invalid permission request.');
    const { context, issuer, server, token } = by;
    const at = seconds(context);
    const pushed = Object.assign({}, ...wanted.map((one) => one.claims ?? {}));
    const claims = {
      aud: issuerOf(ctx.baseUrl, issuer.name),
      nbf: 0,
      iat: at,
      exp: at + ticketLifespan,
      jti: context.newId(),
      sub: token.user.id,
      azp: server.clientId,
      permissions: await permissionsOf(ctx.db, server.id, wanted),
      ...(Object.keys(pushed).length > 0 && { claims: pushed }),
    };
    return { ticket: await signServerToken(context, issuer, { purpose: 'permissionTicket', claims }) };
  },
});

/** The requested permissions by the IDs of resources. Refuses resources and scopes that the server does not have. */
async function permissionsOf(db: Db, serverId: string, wanted: readonly PermissionInput[]) {
  const ids = wanted.flatMap(({ resource_id: id }) => id ?? []);
  const resources = await db.authorizationResource.findMany({
    where: { resourceServerId: serverId, OR: [{ id: { in: ids } }, { ownerId: serverId, name: { in: ids } }] },
    select: { id: true, name: true, scopes: { select: { scope: { select: { name: true } } } } },
  });
  const known = await db.authorizationScope.findMany({
    where: { resourceServerId: serverId, name: { in: wanted.flatMap(({ resource_scopes: names }) => names ?? []) } },
    select: { name: true },
  });
  return wanted.map(({ resource_id: id, resource_scopes: names = [] }) => {
    const resource = resources.find((one) => one.id === id) ?? resources.find(({ name }) => name === id);
    if (id !== undefined && !resource) throw unknownResource(id);
    const possible = resource ? resource.scopes.map(({ scope }) => scope.name) : known.map(({ name }) => name);
    const wrong = names.find((name) => !possible.includes(name));
    if (wrong !== undefined) throw unknownScope(wrong);
    return { ...(resource && { rsid: resource.id }), ...(names.length > 0 && { scopes: names }) };
  });
}

/** The claims of a permission ticket. */
export const TicketClaims = z.looseObject({
  azp: z.string(),
  exp: z.number(),
  permissions: z.array(z.object({ rsid: z.string().optional(), scopes: z.array(z.string()).default([]) })),
});
