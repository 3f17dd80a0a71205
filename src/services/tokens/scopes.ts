import { members } from '../core/json.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient, TokenMapper, TokenScope } from './types.js';

/** The client scopes of a request, and whether it asks for an ID token and for an offline session. */
export interface ScopeChoice {
  openid: boolean;
  /** whether `offline_access` is a scope of the request, by its parameter or as a default of the client */
  offline: boolean;
  scopes: TokenScope[];
}

/** Whether users are asked to allow a client this scope, where the client asks them at all. */
export const asksConsent = ({ attributes }: TokenScope): boolean =>
  members(attributes)['display.on.consent.screen'] !== 'false';

/**
 * The default client scopes of the client and the optional ones that the `scope` parameter names (RFC 6749
 * section 3.3). Refuses names that the client does not have.
 */
export function chooseScopes(client: TokenClient, parameter: string | undefined): ScopeChoice {
  const names = new Set(usableScopes(client).map(({ clientScope }) => clientScope.name));
  if (scopeNames(parameter).some((name) => name !== 'openid' && !names.has(name))) {
    throw oauthError(400, 'invalid_scope', `Invalid scopes: ${parameter ?? ''}`);
  }
  return knownScopes(client, parameter);
}

/** The same, but names that the client does not have are passed over. */
export function knownScopes(client: TokenClient, parameter: string | undefined): ScopeChoice {
  const requested = new Set(scopeNames(parameter));
  const scopes = usableScopes(client).filter(
    ({ optional, clientScope }) => !optional || requested.has(clientScope.name),
  );
  return {
    openid: requested.has('openid'),
    offline: scopes.some(({ clientScope }) => clientScope.name === 'offline_access'),
    scopes: scopes.map(({ clientScope }) => clientScope),
  };
}

/** The names in a `scope` parameter. */
export const scopeNames = (parameter: string | undefined): string[] =>
  (parameter ?? '').split(/\s+/).filter((name) => name !== '');

const openId = 'openid-connect';

/** Whether something counts for a client: it has to have the same protocol. */
const isFor = (client: Pick<TokenClient, 'protocol'>, { protocol }: { protocol: string | null }): boolean =>
  (protocol ?? openId) === (client.protocol ?? openId);

const usableScopes = (client: TokenClient) => client.scopes.filter(({ clientScope }) => isFor(client, clientScope));

/** The `scope` of the answer and the token. A client scope may ask not to be named. */
export function scopeText({ openid, scopes }: ScopeChoice): string {
  const named = scopes.filter(({ attributes }) => members(attributes)['include.in.token.scope'] !== 'false');
  return [...(openid ? ['openid'] : []), ...named.map(({ name }) => name)].join(' ');
}

/** The protocol mappers that write the tokens or assertions: those of the client and of the chosen client scopes. */
export const mappersOf = (client: TokenClient, { scopes }: ScopeChoice): TokenMapper[] =>
  [...scopes.flatMap(({ protocolMappers }) => protocolMappers), ...client.protocolMappers].filter((mapper) =>
    isFor(client, mapper),
  );
