import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type Answer, json, noContent } from '../http/answer.js';
import { contextOf } from '../http/authenticate.js';
import { readJson } from '../http/body.js';
import { certificateFinder } from '../http/client-certificate.js';
import { type Protected, protectedBy } from '../services/authorization/protection/bearer.js';
import { createTicket } from '../services/authorization/protection/issue.js';
import * as resources from '../services/authorization/protection/resources.js';
import * as tickets from '../services/authorization/protection/tickets.js';
import * as policies from '../services/authorization/protection/user-policies.js';
import { ResourceRepresentation } from '../services/authorization/representation.js';
import type { Context, Services } from '../services/core/context.js';
import type { Read, Write } from '../services/core/operation.js';
import { perform, performWrite } from '../services/core/perform.js';
import { callerOf } from '../services/tokens/caller.js';
import type { TokenContext } from '../services/tokens/context.js';
import { type OAuthCallerForm, type OAuthCallerRoute, oauthCallerRoute } from './oauth-caller-routes.js';
import { nothingBelow } from './openid-manners.js';
import { each } from './paging.js';
import { flagParameter } from './request.js';
import { decodedSegment } from './router.js';

interface Asked {
  ctx: Context;
  by: Protected;
  query: URLSearchParams;
  /** the last segment of the path, where that is an id */
  id: string;
  body(): Promise<unknown>;
}

interface Part extends OAuthCallerRoute {
  answer(asked: Asked): Promise<Answer>;
}

const prefix = '/realms/{realm}/authz/protection';
const security = ['protection'];

const page = each(100);
const paging = ['first', 'max'];
const texts = (query: URLSearchParams, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
const flags = (query: URLSearchParams, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, flagParameter(query, name)]));

// biome-ignore lint/suspicious/noExplicitAny: a part puts its own locator and operation together
type AnyRead = Read<any, any, any>;

/** A read of what the locator finds. */
const reading = <T extends Protected, S extends z.ZodType, R>(
  at: string,
  operation: Read<T, S, R>,
  locate: (ctx: Context, by: Protected, id: string) => Promise<T>,
  form: OAuthCallerForm & { input?: (asked: Asked) => unknown; answer?: (result: R) => Answer } = {},
): Part => ({
  ...oauthCallerRoute(at, prefix, operation as AnyRead, security, form),
  async answer(asked) {
    const { ctx, by, id } = asked;
    const result = await perform(
      ctx,
      operation,
      (now) => locate(now, by, id),
      () => form.input?.(asked),
    );
    return form.answer ? form.answer(result) : json(result, form.status ?? 200);
  },
});

/** A write with the body as its input. */
const writing = <T extends Protected, S extends z.ZodType, R, P>(
  at: string,
  operation: Write<T, S, R, P>,
  locate: (ctx: Context, by: Protected, id: string) => Promise<T>,
  form: OAuthCallerForm & { answer?: (result: R, by: Protected) => Answer } = {},
): Part => ({
  ...oauthCallerRoute(at, prefix, operation, security, {
    ...form,
    takes: operation.input ? 'json' : 'nothing',
    status: form.status ?? (form.answer ? 200 : 204),
  }),
  async answer({ ctx, by, id, body }) {
    const { result } = await performWrite(
      ctx,
      operation,
      (now) => locate(now, by, id),
      () => (operation.input ? body() : undefined),
    );
    return form.answer ? form.answer(result, by) : noContent;
  },
});

const itself = async (_ctx: Context, by: Protected) => by;
const asManager = (_ctx: Context, by: Protected) => resources.asManager(by);
const ticketFilters = ['resourceId', 'scopeId', 'owner', 'requester'];
const resourceFilters = ['_id', 'name', 'uri', 'type', 'scope', 'owner'];
const resourceFlags = ['exactName', 'matchingUri', 'deep'];
const policyFilters = ['name', 'resource', 'scope'];
const Ticket = tickets.PermissionTicketRepresentation;
const UserPolicy = policies.UmaPermissionRepresentation;

/** What there is below `/authz/protection`: UMA 2.0 Federated Authorization, with the reference's additions. */
export const protectionRoutes: readonly Part[] = [
  reading('GET /resource_set', resources.listProtected, asManager, {
    query: [...resourceFilters, ...resourceFlags, ...paging],
    returns: { shape: z.union([z.string(), ResourceRepresentation]), list: true },
    input: ({ query }) => ({
      ...texts(query, ...resourceFilters),
      ...flags(query, ...resourceFlags),
      ...page(query),
    }),
  }),
  writing('POST /resource_set', resources.registerResource, asManager, {
    status: 201,
    returns: { shape: ResourceRepresentation, list: false },
    answer: (row) => json(resources.registered(row), 201),
  }),
  reading('GET /resource_set/{id}', resources.readResource, resources.protectedResource, {
    returns: { shape: ResourceRepresentation, list: false },
  }),
  writing('PUT /resource_set/{id}', resources.changeResource, resources.protectedResource),
  writing('DELETE /resource_set/{id}', resources.unregisterResource, resources.protectedResource),
  reading('POST /permission', createTicket, itself, {
    takes: 'json',
    status: 201,
    returns: { shape: z.object({ ticket: z.string() }), list: false },
    input: ({ body }) => body(),
  }),
  reading('GET /permission/ticket', tickets.listTickets, itself, {
    query: [...ticketFilters, 'granted', 'returnNames', ...paging],
    returns: { shape: Ticket, list: true },
    input: ({ query }) => ({
      ...texts(query, ...ticketFilters),
      ...flags(query, 'granted', 'returnNames'),
      ...page(query),
    }),
  }),
  reading('GET /permission/ticket/count', tickets.countTickets, itself, {
    query: [...ticketFilters, 'granted'],
    returns: { shape: z.int(), list: false },
    input: ({ query }) => ({ ...texts(query, ...ticketFilters), ...flags(query, 'granted') }),
  }),
  writing('POST /permission/ticket', tickets.addTicket, itself, {
    returns: { shape: Ticket, list: false },
    answer: (row, { server }) => json(tickets.encodeTicket(row, server.clientId, false)),
  }),
  writing('PUT /permission/ticket', tickets.changeTicket, itself),
  writing('DELETE /permission/ticket/{id}', tickets.removeTicket, tickets.decidedTicket),
  reading('GET /uma-policy', policies.listUserPolicies, itself, {
    query: [...policyFilters, ...paging],
    returns: { shape: UserPolicy, list: true },
    input: ({ query }) => ({ ...texts(query, ...policyFilters), ...page(query) }),
    answer: (found) => (found ? json(found) : noContent),
  }),
  writing('POST /uma-policy/{id}', policies.sharePolicy, policies.toShare, {
    returns: { shape: UserPolicy, list: false },
    answer: (row, by) => json(policies.encodeUserPolicy(row, by)),
  }),
  reading('GET /uma-policy/{id}', policies.readUserPolicy, policies.ownPolicy, {
    returns: { shape: UserPolicy, list: false },
  }),
  writing('PUT /uma-policy/{id}', policies.changeUserPolicy, policies.ownPolicy, {
    status: 201,
    answer: () => ({ status: 201 }),
  }),
  writing('DELETE /uma-policy/{id}', policies.removeUserPolicy, policies.ownPolicy),
];

const parts = new Map(
  protectionRoutes.map((part) => [`${part.method} ${part.path.slice(prefix.length)}`, part] as const),
);
const methods = ['GET', 'POST', 'PUT', 'DELETE'];

/** Answers a request below `/authz/protection` of a realm; `tail` is what follows that. */
export async function protectionAnswer(
  services: Services,
  tokens: TokenContext,
  message: IncomingMessage,
  { realmName, tail }: { realmName: string; tail: string },
): Promise<Answer> {
  const id = decodedSegment(tail.slice(tail.lastIndexOf('/') + 1));
  const general = tail.replace(/\/[^/]*$/, '/{id}');
  const find = (method: string) => parts.get(`${method} ${tail}`) ?? parts.get(`${method} ${general}`);
  const part = find(message.method === 'HEAD' ? 'GET' : (message.method ?? ''));
  if (!part) {
    const others = methods.filter(find);
    if (others.length === 0) throw nothingBelow(tail);
    return {
      status: 405,
      headers: { allow: others.join(', ') },
      body: { error: 'RESTEASY003650: No resource method found' },
    };
  }
  const by = await protectedBy(tokens, services.realms, realmName, {
    authorization: message.headers.authorization,
    findCertificate: certificateFinder(message, services.config),
  });
  const { user, client, claims } = by.token;
  const caller = callerOf({ userId: user.id, realmId: by.realm.id, realmName, clientId: client.clientId, claims });
  const ctx = contextOf(services, message, caller);
  const query = new URL(message.url ?? '', 'http://localhost').searchParams;
  return part.answer({ ctx, by, query, id, body: () => readJson(message, services.config.bodyLimit) });
}
