import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { type Answer, json, noContent } from '../http/answer.js';
import { baseUrlOf, contextOf, requestIdOf } from '../http/authenticate.js';
import { readJson } from '../http/body.js';
import { openTo } from '../http/cors.js';
import { failure } from '../http/errors.js';
import { presentedToken } from '../http/presented-token.js';
import { type Account, accountClient, accountOf } from '../services/account/account.js';
import * as applications from '../services/account/applications.js';
import * as consents from '../services/account/consents.js';
import * as credentials from '../services/account/credentials.js';
import * as links from '../services/account/linked-accounts.js';
import { requireRoleFor } from '../services/account/operation.js';
import { AccountRepresentation, getProfile, updateProfile } from '../services/account/profile.js';
import * as resources from '../services/account/resources.js';
import * as sessions from '../services/account/sessions.js';
import * as sharing from '../services/account/share-resource.js';
import type { Context, Services } from '../services/core/context.js';
import { textsOf } from '../services/core/json.js';
import type { Operation, Read, Write } from '../services/core/operation.js';
import { perform, performWrite } from '../services/core/perform.js';
import { Refusal, unauthenticated } from '../services/core/refusal.js';
import { type KnownToken, knownAccessToken } from '../services/tokens/access.js';
import { callerOf } from '../services/tokens/caller.js';
import type { TokenContext } from '../services/tokens/context.js';
import { findRealmAndClient, realmDoesNotExist } from '../services/tokens/parties.js';
import * as shapes from './account-shapes.js';
import { type OAuthCallerForm, type OAuthCallerRoute, oauthCallerRoute } from './oauth-caller-routes.js';
import { first, max } from './paging.js';
import { flagParameter } from './request.js';
import { decodedSegment } from './router.js';

interface Asked {
  ctx: Context;
  account: Account;
  query: URLSearchParams;
  /** the variable segment of the path */
  id: string;
  body(): Promise<unknown>;
}

interface Part extends OAuthCallerRoute {
  answer(asked: Asked): Promise<Answer>;
}

const prefix = '/realms/{realm}/account';
const security = ['account'];

type Locate<T> = (ctx: Context, account: Account, id: string) => Promise<T>;

// biome-ignore lint/suspicious/noExplicitAny: a part puts its own locator and operation together
type AnyRead = Read<any, any, any>;

/** What an operation works on. A role that is missing is told first. */
async function located<T>(
  operation: Pick<Operation, 'name'>,
  locate: Locate<T>,
  now: Context,
  { account, id }: Asked,
): Promise<T> {
  requireRoleFor(operation, account);
  return locate(now, account, id);
}

const reading = <T extends Account, S extends z.ZodType, R>(
  at: string,
  operation: Read<T, S, R>,
  locate: Locate<T>,
  form: OAuthCallerForm & { input?: (query: URLSearchParams) => unknown; answer?: (result: R, asked: Asked) => Answer },
): Part => ({
  ...oauthCallerRoute(at, prefix, operation as AnyRead, security, form),
  async answer(asked) {
    const { ctx, query } = asked;
    const found = await perform(
      ctx,
      operation,
      (now) => located(operation, locate, now, asked),
      () => form.input?.(query),
    );
    if (found === undefined) return noContent;
    return form.answer ? form.answer(found, asked) : json(found);
  },
});

const writing = <T extends Account, S extends z.ZodType, R, P>(
  at: string,
  operation: Write<T, S, R, P>,
  locate: Locate<T>,
  form: OAuthCallerForm & { input?: (asked: Asked) => unknown; answer?: (result: R) => Answer } = {},
): Part => ({
  ...oauthCallerRoute(at, prefix, operation, security, {
    takes: operation.input && !form.input ? 'json' : 'nothing',
    status: form.answer ? 200 : 204,
    ...form,
  }),
  async answer(asked) {
    const { ctx, body } = asked;
    const { result } = await performWrite(
      ctx,
      operation,
      (now) => located(operation, locate, now, asked),
      () => (form.input ? form.input(asked) : operation.input ? body() : undefined),
    );
    return form.answer ? form.answer(result) : noContent;
  },
});

const itself: Locate<Account> = async (_ctx, account) => account;
const withProvider: Locate<links.LinkedAccountTarget> = async (_ctx, account, provider) => ({ ...account, provider });
const withSession: Locate<sessions.OwnSessionTarget> = async (_ctx, account, sid) => ({ ...account, session: { sid } });

const isListed = ({ baseUrl }: applications.Application): boolean => baseUrl !== undefined;

const paging = ['first', 'max'];
const pageOf = (query: URLSearchParams) => ({
  name: query.get('name') ?? undefined,
  first: first(query),
  max: max(query),
});

/** The links to the pages before and after one, as the contract has them (RFC 8288). */
function pageLinks({ ctx, query }: Asked, path: string, hasMore: boolean): Record<string, string> {
  const from = first(query);
  const size = max(query);
  if (from === undefined || size === undefined) return {};
  const realm = encodeURIComponent(ctx.caller.realmName);
  const at = (start: number, rel: string) =>
    `<${ctx.baseUrl}/realms/${realm}/account${path}?first=${start}&max=${size}>; rel="${rel}"`;
  const shown = [
    ...(from > 0 ? [at(Math.max(0, from - size), 'prev')] : []),
    ...(hasMore ? [at(from + size, 'next')] : []),
  ];
  return shown.length === 0 ? {} : { link: shown.join(', ') };
}

const resourcesAt = (path: string, operation: typeof resources.listOwnResources): Part =>
  reading(`GET ${path}`, operation, itself, {
    query: ['name', ...paging],
    returns: { shape: shapes.AccountResource, list: true },
    input: pageOf,
    answer: (page, asked) => ({ ...json(page.resources), headers: pageLinks(asked, path, page.hasMore) }),
  });

const consentAnswer = {
  returns: { shape: shapes.AccountConsent, list: false },
  answer: (given: unknown) => json(given),
};
const consentPath = '/applications/{id}/consent';

/** A profile replaces all attributes in the contract: those that are not given are taken away. */
const withAttributes = async ({ body }: Asked): Promise<unknown> => {
  const sent = await body();
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? { attributes: {}, ...sent } : sent;
};

/** The account API of the contract, which users reach with tokens for the client `account`. */
export const accountRoutes: readonly Part[] = [
  reading('GET ', getProfile, itself, { returns: { shape: shapes.AccountProfile, list: false } }),
  writing('POST ', updateProfile, itself, { takes: 'json', input: withAttributes, accepts: AccountRepresentation }),
  reading('GET /sessions', sessions.listSessions, itself, {
    returns: { shape: shapes.AccountSession, list: true },
    answer: (found) => json(found.map(({ session }) => session)),
  }),
  reading('GET /sessions/devices', sessions.listSessions, itself, {
    returns: { shape: shapes.AccountDevice, list: true },
    answer: (found) => json(sessions.devicesOf(found)),
  }),
  writing('DELETE /sessions', sessions.endSessions, itself, {
    query: ['current'],
    input: ({ query }) => ({ current: flagParameter(query, 'current') }),
  }),
  writing('DELETE /sessions/{id}', sessions.endSession, withSession),
  reading('GET /credentials', credentials.listOwnCredentials, itself, {
    query: ['type', 'user-credentials'],
    returns: { shape: shapes.AccountCredentials, list: true },
    input: (query) => ({
      type: query.get('type') ?? undefined,
      'user-credentials': flagParameter(query, 'user-credentials'),
    }),
  }),
  writing('DELETE /credentials/{id}', credentials.removeOwnCredential, credentials.ownCredential),
  writing('PUT /credentials/{id}/label', credentials.labelOwnCredential, credentials.ownCredential),
  reading('GET /linked-accounts', links.listLinkedAccounts, itself, {
    returns: { shape: shapes.LinkedAccount, list: true },
  }),
  reading('GET /linked-accounts/{id}', links.beginOwnLink, withProvider, {
    query: ['redirectUri'],
    returns: { shape: shapes.LinkUri, list: false },
    input: (query) => ({ redirectUri: query.get('redirectUri') ?? undefined }),
  }),
  writing('DELETE /linked-accounts/{id}', links.removeOwnLink, withProvider),
  reading('GET /applications', applications.listApplications, itself, {
    query: ['name'],
    returns: { shape: shapes.AccountClient, list: true },
    input: (query) => ({ name: query.get('name') ?? undefined }),
    answer: (found) => json(found.filter(isListed)),
  }),
  reading(`GET ${consentPath}`, consents.getOwnConsent, consents.ownConsentTo, {
    returns: consentAnswer.returns,
  }),
  writing(`POST ${consentPath}`, consents.giveConsent, consents.ownConsentTo, consentAnswer),
  writing(`PUT ${consentPath}`, consents.giveConsent, consents.ownConsentTo, consentAnswer),
  writing(`DELETE ${consentPath}`, consents.revokeOwnConsent, consents.ownConsentTo),
  resourcesAt('/resources', resources.listOwnResources),
  resourcesAt('/resources/shared-with-me', resources.listSharedWithMe),
  resourcesAt('/resources/shared-with-others', resources.listSharedWithOthers),
  resourcesAt('/resources/pending-requests', resources.listPendingRequests),
  reading('GET /resources/{id}', resources.getOwnResource, resources.ownResource, {
    returns: { shape: shapes.AccountResource, list: false },
  }),
  reading('GET /resources/{id}/permissions', resources.listOwnPermissions, resources.ownResource, {
    returns: { shape: shapes.ResourcePermission, list: true },
  }),
  writing('PUT /resources/{id}/permissions', sharing.shareResource, resources.ownResource),
  reading('GET /resources/{id}/permissions/requests', resources.listOwnRequests, resources.ownResource, {
    returns: { shape: shapes.ResourcePermission, list: true },
  }),
  reading('GET /resources/{id}/user', sharing.findUserToShareWith, resources.ownResource, {
    query: ['value'],
    returns: { shape: shapes.AccountUser, list: false },
    input: (query) => ({ value: query.get('value') ?? undefined }),
  }),
];

interface Pattern {
  part: Part;
  path: RegExp;
}

const patterns: readonly Pattern[] = accountRoutes.map((part) => ({
  part,
  path: new RegExp(`^${part.path.slice(prefix.length).replace('{id}', '([^/]+)')}$`),
}));

/** The parts at a path, those without a variable segment first, as they stand before the others in the table. */
function partsAt(tail: string): { part: Part; id: string }[] {
  const found = patterns.flatMap(({ part, path }) => {
    const match = path.exec(tail);
    return match ? [{ part, id: decodedSegment(match[1] ?? '') }] : [];
  });
  const fixed = found.filter(({ part }) => part.path === prefix + tail);
  return fixed.length > 0 ? fixed : found;
}

const audienceOf = ({ claims: { aud } }: KnownToken): string[] => (typeof aud === 'string' ? [aud] : textsOf(aud));

/** Who sends the request: the bearer of a token of the realm that is meant for the client `account`. */
async function senderOf(
  services: Services,
  tokens: TokenContext,
  message: IncomingMessage,
  realmName: string,
): Promise<{ ctx: Context; account(): Promise<Account> }> {
  const { realm: issuer } = await findRealmAndClient(tokens, realmName, undefined);
  const realm = await services.realms.byName(services.database.read, realmName);
  if (!realm) throw realmDoesNotExist();
  const presented = realm.enabled ? presentedToken(message, baseUrlOf(message, services), services.config) : undefined;
  const token = presented && (await knownAccessToken(tokens, issuer, presented.token, presented));
  if (!token?.inSession || !audienceOf(token).includes(accountClient)) throw unauthenticated();
  const { user, client, claims } = token;
  const caller = callerOf({ userId: user.id, realmId: realm.id, realmName, clientId: client.clientId, claims });
  const ctx = contextOf(services, message, { ...caller, username: user.username });
  const named = caller.tokenRoles[accountClient] ?? [];
  return { ctx, account: () => accountOf(ctx, realm, { userId: user.id, sid: caller.sessionId, named }) };
}

const nothingThere = () => new Refusal('notFound', 'RESTEASY003210: Could not find resource for full path');

/** Answers a request of the account API; `tail` is the path after `/account`. */
export async function accountAnswer(
  services: Services,
  tokens: TokenContext,
  message: IncomingMessage,
  { realmName, tail }: { realmName: string; tail: string },
): Promise<Answer> {
  const { ctx, account } = await senderOf(services, tokens, message, realmName);
  const cors = openTo(message, ctx.caller.allowedOrigins ?? []);
  const answer = async (): Promise<Answer> => {
    const parts = partsAt(tail);
    const method = message.method === 'HEAD' ? 'GET' : message.method;
    const found = parts.find(({ part }) => part.method === method);
    if (!found) {
      if (parts.length === 0) throw nothingThere();
      return {
        status: 405,
        headers: { allow: parts.map(({ part }) => part.method).join(', ') },
        body: { error: `RESTEASY003650: No resource method found for ${method}, return 405 with Allow header` },
      };
    }
    const query = new URL(message.url ?? '', 'http://localhost').searchParams;
    const body = () => readJson(message, services.config.bodyLimit);
    return found.part.answer({ ctx, account: await account(), query, id: found.id, body });
  };
  const done = await answer().catch((error: unknown) => failure(error, services.log, requestIdOf(message)));
  // what is known of a user is in no cache
  return { ...done, headers: { 'cache-control': 'no-store', ...done.headers, ...cors } };
}
