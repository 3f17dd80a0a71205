import { z } from 'zod';
import type { Db } from '../../database/db.js';
import { members } from '../core/json.js';
import { knownAccessToken } from '../tokens/access.js';
import { seconds, type TokenContext } from '../tokens/context.js';
import { oauthError } from '../tokens/oauth-error.js';
import { verifiedToken } from '../tokens/signature.js';
import type { TokenRealm } from '../tokens/types.js';
import type { Wanted } from './evaluation/evaluate.js';
import { loadResources, loadScopes } from './evaluation/store.js';
import { TicketClaims } from './protection/issue.js';

/** The resource server of the requested permissions. */
export interface RequestedServer {
  id: string;
  clientId: string;
  policyEnforcementMode: string;
  decisionStrategy: string;
}

/** A requested permission, as the request or a token names it. */
interface Named {
  /** ID or name */
  resource: string | undefined;
  scopes: string[];
}

type Ticket = z.output<typeof TicketClaims>;

const refused = (error: string, description: string) => oauthError(400, error, description);

/** The content of a permission ticket. Refuses a ticket that the realm has not signed, or that has expired. */
export async function readTicket(
  context: TokenContext,
  realm: TokenRealm,
  text: string | null,
): Promise<Ticket | undefined> {
  if (text === null) return undefined;
  const ticket = TicketClaims.safeParse((await verifiedToken(context, realm, ['permissionTicket'], text))?.claims);
  if (!ticket.success || ticket.data.exp <= seconds(context))
    throw oauthError(403, 'invalid_ticket', 'Ticket verification failed');
  return ticket.data;
}

/** The resource server of this clientId. */
export async function serverNamed(db: Db, realmId: string, clientId: string | null): Promise<RequestedServer> {
  if (!clientId) throw refused('invalid_request', 'You must provide the issuedFor');
  const client = await db.client.findFirst({
    where: { realmId, clientId },
    select: { id: true, resourceServer: { select: { policyEnforcementMode: true, decisionStrategy: true } } },
  });
  if (!client) throw refused('invalid_request', `Unknown resource server id: [${clientId}]`);
  if (!client.resourceServer) throw refused('invalid_request', 'Client does not support permissions');
  return { id: client.id, clientId, ...client.resourceServer };
}

/** `permission=resource#scope,scope`, as often as it was sent. */
const namedIn = (form: URLSearchParams): Named[] =>
  form.getAll('permission').map((text) => {
    const [resource = '', scopes = ''] = text.split('#');
    return { resource: resource || undefined, scopes: scopes.split(',').filter((name) => name !== '') };
  });

const Permissions = z.array(z.looseObject({ rsid: z.string(), scopes: z.array(z.string()).default([]) }));

/** The permissions of an earlier token, which are requested again. */
async function namedByToken(context: TokenContext, realm: TokenRealm, text: string | null): Promise<Named[]> {
  if (text === null) return [];
  const known = await knownAccessToken(context, realm, text);
  if (!known?.inSession) throw oauthError(403, 'invalid_rpt', 'RPT signature is invalid');
  const permissions = Permissions.safeParse(members(known.claims.authorization).permissions);
  return permissions.success ? permissions.data.map(({ rsid, scopes }) => ({ resource: rsid, scopes })) : [];
}

/** Whether everything is requested. */
export const requestsEverything = (form: URLSearchParams, ticket: Ticket | undefined): boolean =>
  ticket === undefined && namedIn(form).length === 0 && !form.has('rpt');

/**
 * The requested permissions, by a ticket, by name, by an earlier token, or else everything: at most three statements.
 */
export async function requestedPermissions(
  context: TokenContext,
  realm: TokenRealm,
  server: RequestedServer,
  userId: string,
  form: URLSearchParams,
  ticket: Ticket | undefined,
): Promise<Wanted[]> {
  const db = context.database.read;
  const asked = ticket ? ticket.permissions.map(({ rsid, scopes }) => ({ resource: rsid, scopes })) : namedIn(form);
  const earlier = ticket ? [] : await namedByToken(context, realm, form.get('rpt'));
  if (asked.length + earlier.length === 0) return everything(db, server, userId);
  const names = asked.flatMap(({ scopes }) => scopes);
  const scopes = await loadScopes(db, server.id, [...names, ...earlier.flatMap((one) => one.scopes)]);
  const wrong = names.find((name) => !scopes.some((scope) => scope.name === name));
  if (wrong !== undefined) throw refused('invalid_scope', `One of the given scopes [${wrong}] is invalid`);
  const wanted = [...asked, ...earlier].flatMap(({ resource }) => resource ?? []);
  const withoutResource = asked.filter(({ resource }) => resource === undefined).flatMap((one) => one.scopes);
  const resources = await loadResources(db, server.id, {
    OR: [
      { id: { in: wanted } },
      { name: { in: wanted }, ownerId: { in: [server.id, userId] } },
      { scopes: { some: { scope: { name: { in: withoutResource } } } } },
    ],
  });
  const find = (text: string) => resources.find(({ id }) => id === text) ?? resources.find(({ name }) => name === text);
  const within = (given: string[]) => scopes.filter(({ name }) => given.includes(name));
  const later = earlier.flatMap((one): Wanted[] => {
    const resource = find(one.resource ?? '');
    return resource ? [{ resource, scopes: within(one.scopes) }] : [];
  });
  return [
    ...asked.flatMap((one): Wanted[] => {
      if (one.resource === undefined) {
        return resources
          .filter((resource) => resource.scopes.some(({ name }) => one.scopes.includes(name)))
          .map((resource) => ({ resource, scopes: within(one.scopes) }));
      }
      const resource = find(one.resource);
      if (!resource) throw refused('invalid_resource', `Resource with id [${one.resource}] does not exist.`);
      return [{ resource, scopes: one.scopes.length > 0 ? within(one.scopes) : resource.scopes }];
    }),
    ...later,
  ];
}

/** The resources of the server, of the user, and resources of others on which the user was granted access. */
async function everything(db: Db, server: RequestedServer, userId: string): Promise<Wanted[]> {
  const resources = await loadResources(db, server.id, {
    OR: [
      { ownerId: { in: [server.id, userId] } },
      { tickets: { some: { requesterId: userId, grantedTimestamp: { not: null } } } },
    ],
  });
  return resources.map((resource) => ({ resource, scopes: resource.scopes }));
}
