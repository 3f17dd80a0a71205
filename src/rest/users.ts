import { createdAt, json, pathSegment } from '../http/answer.js';
import type { Context } from '../services/core/context.js';
import { Refusal } from '../services/core/refusal.js';
import { json as anyJson, listmap, record, texts } from '../services/core/shape.js';
import { briefGroup, fullGroup } from '../services/groups/representation.js';
import { consentOf, listConsents, revokeConsent } from '../services/users/consents.js';
import * as credentials from '../services/users/credentials.js';
import { executeActionsEmail, sendVerifyEmail } from '../services/users/emails.js';
import { joinGroups, leaveGroups, listGroups } from '../services/users/groups.js';
import { addIdentity, listIdentities, removeIdentity } from '../services/users/identities.js';
import { impersonate } from '../services/users/impersonation.js';
import { countUsers, getUser, listUsers, usersOfRole } from '../services/users/list.js';
import { credentialById, userById, userRefById } from '../services/users/locate.js';
import { createUser, patchUser, removeUser, updateUser } from '../services/users/operations.js';
import { checkProfile, getProfile, getProfileMetadata, getUnmanagedAttributes } from '../services/users/profile.js';
import { FederatedIdentityRepresentation, UserConsentRepresentation } from '../services/users/representation.js';
import { briefUser, fullUser, listedBriefUser, listedUser, singleUser } from '../services/users/views.js';
import { Impersonation } from './answer-shapes.js';
import { cookieSite, identityCookies } from './login/cookies.js';
import { all, each, together } from './paging.js';
import { below, child, formerly } from './place.js';
import { inRealm, realm } from './realm.js';
import { flagParameter, intParameter, type RestRequest } from './request.js';
import { namedRole } from './roles.js';
import { del, get, getCount, getList, mergePatch, type Paging, post, put, type Route } from './table.js';

const users = below(inRealm, '/users');
const user = child(realm, '/users/{id}', (ctx: Context, parent, { id = '' }) => userById(ctx, parent, id));
/** The same where it is enough to know that the user is there. */
const member = child(realm, '/users/{id}', (ctx: Context, parent, { id = '' }) => userRefById(ctx, parent, id));
const credential = child(user, '/credentials/{credentialId}', (ctx, parent, { credentialId = '' }) =>
  credentialById(ctx, parent, credentialId),
);
const link = child(user, '/federated-identity/{provider}', (_ctx, parent, { provider = '' }) => ({
  ...parent,
  provider,
}));
const consent = child(user, '/consents/{client}', (ctx, parent, { client = '' }) => consentOf(ctx, parent, client));

/** The JSON body, or nothing where there is none. */
async function bodyIfAny(request: RestRequest): Promise<unknown> {
  const text = await request.text('application/json', 'application/merge-patch+json');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('malformed', 'The body must be valid JSON', { field: 'body' });
  }
}

async function bodyOrRefuse(request: RestRequest): Promise<unknown> {
  const body = await bodyIfAny(request);
  if (body === undefined) throw new Refusal('invalid', 'Could not update user!', { field: 'body' });
  return body;
}

const criteriaNames = [
  'search',
  'username',
  'email',
  'firstName',
  'lastName',
  'emailVerified',
  'enabled',
  'exact',
  'idpAlias',
  'idpUserId',
  'q',
  'createdAfter',
  'createdBefore',
];
const flags = new Set(['emailVerified', 'enabled', 'exact']);
const criteria = ({ query }: RestRequest) =>
  Object.fromEntries(
    criteriaNames.map((name) => [name, flags.has(name) ? flagParameter(query, name) : query.get(name)]),
  );

/** A hundred users unless the caller says how many; a negative number means all. */
const page = (query: URLSearchParams): Paging => {
  const paging = each(100)(query);
  if ((intParameter(query, 'max') ?? 0) < 0) delete paging.take;
  return paging;
};

const mail = ({ query }: RestRequest) => ({
  clientId: query.get('client_id'),
  redirectUri: query.get('redirect_uri'),
});

const listed = (routes: Route[], shape: NonNullable<Route['returns']>['shape']): Route[] =>
  routes.map((route) => ({ ...route, returns: { shape, list: true } }));

const unsent = { 500: 'The mail could not be sent.' } as const;

export const userRoutes = [
  getCount(below(users, '/count'), countUsers, { query: criteriaNames, input: criteria }),
  get(below(users, '/profile'), getProfile, { returns: record(anyJson) }),
  get(below(users, '/profile/metadata'), getProfileMetadata, { returns: record(anyJson) }),
  get(below(users, '/profile'), checkProfile, {
    returns: record(anyJson),
    input: (request) => request.text('application/json'),
  }).map((route): Route => ({ ...route, method: 'PUT' })),
  getList(users, listUsers, {
    brief: listedBriefUser,
    full: listedUser,
    briefByDefault: false,
    paging: page,
    query: criteriaNames,
    input: criteria,
  }),
  post(users, createUser, { status: 201, answer: ({ id }) => createdAt(`users/${pathSegment(id)}`) }),
  get(user, getUser, {
    view: singleUser,
    query: ['userProfileMetadata'],
    input: ({ query }) => ({ withMetadata: flagParameter(query, 'userProfileMetadata') }),
  }),
  get(below(user, '/unmanagedAttributes'), getUnmanagedAttributes, { returns: listmap }),
  put(user, updateUser, { input: bodyOrRefuse, takes: 'json' }),
  mergePatch(user, patchUser),
  del(user, removeUser),

  getList(below(member, '/credentials'), credentials.listCredentials, {
    full: credentials.publicCredential,
    paging: all,
  }),
  del(credential, credentials.removeCredential),
  put(below(credential, '/userLabel'), credentials.setCredentialLabel, {
    input: (request) => request.text('text/plain'),
    takes: 'text',
  }),
  post(below(credential, '/moveToFirst'), credentials.moveCredential, { input: () => ({}) }),
  post(below(credential, '/moveAfter/{newPreviousCredentialId}'), credentials.moveCredential, {
    input: ({ params: { newPreviousCredentialId: after } }) => (after === 'null' ? {} : { after }),
  }),
  put(below(user, '/reset-password'), credentials.setPassword, {
    input: async (request) => (await bodyIfAny(request)) ?? {},
    takes: 'optional json',
  }),
  put(below(user, '/disable-credential-types'), credentials.disableCredentialTypes, {
    input: async (request) => (await bodyIfAny(request)) ?? [],
    takes: 'optional json',
  }),
  get(below(user, '/configured-user-storage-credential-types'), credentials.storageCredentialTypes, { returns: texts }),

  listed(get(below(user, '/federated-identity'), listIdentities), FederatedIdentityRepresentation),
  post(link, addIdentity),
  del(link, removeIdentity),

  getList(below(member, '/groups'), listGroups, {
    brief: briefGroup,
    full: fullGroup,
    paging: together,
    query: ['search'],
    // the contract looks at the search only where it pages
    input: ({ query }) => ({ search: query.has('first') && query.has('max') ? query.get('search') : undefined }),
  }),
  getCount(below(member, '/groups/count'), listGroups, {
    query: ['search'],
    input: ({ query }) => ({ search: query.get('search') }),
    answer: (count) => ({ count }),
  }),
  put(below(member, '/groups/{groupId}'), joinGroups, {
    input: ({ params }) => ({ groups: [params.groupId], unlessBelow: true }),
  }),
  del(below(member, '/groups/{groupId}'), leaveGroups, { input: ({ params }) => ({ groups: [params.groupId] }) }),

  listed(get(below(user, '/consents'), listConsents), UserConsentRepresentation),
  del(consent, revokeConsent),

  post(below(user, '/impersonation'), impersonate, {
    returns: Impersonation,
    answer: ({ sameRealm, identity }, { ctx }, { realm: { name: realmName } }) => {
      const site = cookieSite(realmName, ctx.baseUrl, ctx.services.config);
      const redirect = `${ctx.baseUrl}/realms/${encodeURIComponent(realmName)}/account`;
      return { ...json({ sameRealm, redirect }), ...(identity && { cookies: identityCookies(site, identity) }) };
    },
  }),
  put(below(user, '/execute-actions-email'), executeActionsEmail, {
    query: ['client_id', 'redirect_uri', 'lifespan'],
    input: async (request) => ({
      ...mail(request),
      lifespan: intParameter(request.query, 'lifespan'),
      actions: await bodyIfAny(request),
    }),
    takes: 'optional json',
    failures: unsent,
  }),
  put(formerly(user, '/reset-password-email'), executeActionsEmail, {
    query: ['client_id', 'redirect_uri'],
    input: (request) => ({ ...mail(request), actions: ['UPDATE_PASSWORD'] }),
    failures: unsent,
  }),
  put(below(user, '/send-verify-email'), sendVerifyEmail, {
    query: ['client_id', 'redirect_uri', 'lifespan'],
    input: (request) => ({ ...mail(request), lifespan: intParameter(request.query, 'lifespan') }),
    failures: unsent,
  }),

  getList(below(namedRole, '/users'), usersOfRole, {
    brief: briefUser,
    full: fullUser,
    briefByDefault: false,
    paging: each(),
  }),
].flat();
