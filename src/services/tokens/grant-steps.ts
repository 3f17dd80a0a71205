import { randomUUID } from 'node:crypto';
import { members, textsOf } from '../core/json.js';
import { policySettings } from '../credentials/password-policy.js';
import { bindingOf } from './binding.js';
import { groupsFor } from './groups.js';
import { issueTokens } from './issue.js';
import { invalidGrant, oauthError } from './oauth-error.js';
import { findUserById } from './parties.js';
import { resourcesFor } from './resources.js';
import { effectiveRoles } from './roles.js';
import { chooseScopes } from './scopes.js';
import { found, type Grant, type Step } from './steps.js';

/** Verifies what the tokens are to be bound to: the proof of a key (RFC 9449 section 5) and the certificate (RFC 8705 section 3). */
export const possessionProved: Step = {
  name: 'possession of a key or a certificate proved',
  async run(grant) {
    const { context, realm, client, baseUrl, proof, findCertificate } = grant;
    const asked = { baseUrl, proof, findCertificate };
    grant.boundTo = await bindingOf(context, realm, client, asked);
  },
};

export const directAccessAllowed: Step = {
  name: 'direct access allowed',
  run({ client }) {
    // the flow for registries, which such a client has, may ask for less than the one for direct grants
    if (!client.directAccessGrantsEnabled || client.protocol === 'docker-v2')
      throw oauthError(400, 'unauthorized_client', 'Client not allowed for direct access grants');
    // nobody is there who could be asked
    if (client.consentRequired) throw oauthError(400, 'invalid_client', 'Client requires user consent');
  },
};

export const serviceAccountAllowed: Step = {
  name: 'service account allowed',
  run({ client }) {
    const refused = (description: string) => oauthError(401, 'unauthorized_client', description);
    if (client.publicClient) throw refused('Public client not allowed to retrieve service account');
    if (!client.serviceAccountsEnabled) throw refused('Client not enabled to retrieve service account');
  },
};

export const scopeChosen: Step = {
  name: 'scope chosen',
  run(grant) {
    grant.scope = chooseScopes(grant.client, grant.form.get('scope') ?? undefined);
  },
};

export const accountSetUp: Step = {
  name: 'no required action is open',
  run({ realm, user, at }) {
    const { requiredActions, emailVerified, credentials } = found(user);
    const policy = realm.settings.passwordPolicy;
    const { expireDays } = policySettings(typeof policy === 'string' ? policy : '');
    const created = credentials.find(({ type }) => type === 'password')?.createdDate ?? null;
    const expired = expireDays > 0 && created !== null && at - Number(created) / 1000 > expireDays * 86_400;
    const unverified = realm.settings.verifyEmail === true && !emailVerified;
    if (textsOf(requiredActions).length > 0 || expired || unverified) {
      throw invalidGrant('Account is not fully set up', 'resolve_required_actions');
    }
  },
};

export const serviceAccountFound: Step = {
  name: 'service account found and enabled',
  async run(grant) {
    const { context, realm, client } = grant;
    const user = client.serviceAccount && (await findUserById(context, realm, client.serviceAccount.id));
    if (!user) throw oauthError(401, 'unauthorized_client', 'Client not enabled to retrieve service account');
    grant.details.username = user.username;
    grant.user = user;
    if (!user.enabled) throw oauthError(401, 'invalid_request', `User '${user.username}' disabled`, 'user_disabled');
  },
};

export const sessionStarted: Step = {
  name: 'session started',
  run(grant) {
    const { offline } = found(grant.scope);
    const { at: startedAt, authTime } = grant;
    const more = authTime !== undefined && { authTime };
    grant.session = { id: randomUUID(), startedAt, offline, rememberMe: false, ...more };
  },
};

export const sessionEndsWithAnswer: Step = {
  name: 'no refresh token, unless the client wants one for its service account',
  run(grant) {
    grant.refreshable = members(grant.client.attributes)['client_credentials.use_refresh_token'] === 'true';
  },
};

export const rolesRead: Step = {
  name: 'roles read, client scopes limited by them',
  async run(grant) {
    const { context, client, realm } = grant;
    const scope = found(grant.scope);
    const { read } = context.database;
    const user = found(grant.user);
    // asked for together, as what a short statement costs is most of all its way
    const [roles, groups] = await Promise.all([
      grant.roles ?? effectiveRoles(read, user.id, realm.id, client),
      grant.groups ?? groupsFor(read, user, client, scope),
    ]);
    grant.groups = groups;
    const mayGoOffline = roles.held.some(({ name, clientId }) => name === 'offline_access' && clientId === undefined);
    if (scope.offline && !mayGoOffline) {
      throw oauthError(400, 'not_allowed', 'Offline tokens not allowed for the user or client');
    }
    grant.roles = roles;
    grant.scope = { ...scope, scopes: scope.scopes.filter((candidate) => roles.permits(candidate)) };
  },
};

export const tokensIssued: Step = {
  name: 'tokens issued',
  async run(grant) {
    const { context, realm, client, at, baseUrl, refreshable } = grant;
    const scope = found(grant.scope);
    const session = found(grant.session);
    const { answer, accessTokenId, refreshTokenId } = await issueTokens(context, {
      realm,
      client,
      user: found(grant.user),
      roles: found(grant.roles).within(client, scope.scopes),
      groups: grant.groups,
      scope,
      session,
      at: Math.max(at, session.joinedAt ?? at),
      baseUrl,
      boundTo: grant.boundTo,
      resources: resourcesFor(grant.form, grant.resources),
      refreshable,
      lightweight: grant.lightweight,
      notes: sessionNotes(grant),
    });
    grant.answer = answer;
    Object.assign(grant.details, { token_id: accessTokenId, scope: answer.scope });
    if (refreshTokenId === undefined) return;
    grant.refreshTokenId = refreshTokenId;
    // a refresh tells of the token that it was done with
    const field = grant.details.refresh_token_id === undefined ? 'refresh_token_id' : 'updated_refresh_token_id';
    const type = found(grant.session).offline ? 'Offline' : 'Refresh';
    Object.assign(grant.details, { [field]: refreshTokenId, refresh_token_type: type });
  },
};

/** What the mappers of a service account's client put into its tokens. */
function sessionNotes({ client, remoteAddress, user }: Grant): Record<string, string | undefined> {
  if (user?.serviceAccountClientId !== client.id) return {};
  return { clientId: client.clientId, clientAddress: remoteAddress, clientHost: remoteAddress };
}
