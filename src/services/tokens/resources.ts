import { limit } from '../../config/limits.js';
import { isAdminTool } from '../core/held-rights.js';
import { members, textsOf } from '../core/json.js';
import { masterName, masterRoles } from '../realms/defaults/master.js';
import type { Claims } from './claims.js';
import { realmOfIssuer } from './context.js';
import { oauthError } from './oauth-error.js';

const most = limit('Logins and tokens', 'Resource indicators of a request', 10, 'URIs', '`invalid_target`');
const mostLength = limit('Logins and tokens', 'Resource indicator', 2000, 'characters', '`invalid_target`');

const invalidTarget = (description: string) => oauthError(400, 'invalid_target', description);

/**
 * The resources that a request names for its tokens (RFC 8707 section 2); undefined if it names none. Throws `invalid_target` unless
 * each is an absolute URI without a fragment.
 */
export function resourcesIn(parameters: URLSearchParams): readonly string[] | undefined {
  const named = [...new Set(parameters.getAll('resource'))];
  if (named.length === 0) return undefined;
  if (named.length > most) throw invalidTarget(`At most ${most} parameters: resource`);
  const isIndicator = (text: string) => text.length <= mostLength && !text.includes('#') && URL.canParse(text);
  if (!named.every(isIndicator)) throw invalidTarget('Invalid parameter: resource');
  return named;
}

/** Whether a request has a parameter more than once that may stand there only once: all but resources, and these others. */
export function hasDuplicates(parameters: URLSearchParams, ...others: string[]): boolean {
  const names = [...parameters.keys()].filter((name) => name !== 'resource' && !others.includes(name));
  return new Set(names).size < names.length;
}

/** The resources of an access token, and those of the refresh token that comes with it. */
export interface TokenResources {
  readonly access?: readonly string[] | undefined;
  readonly refresh?: readonly string[] | undefined;
}

/**
 * The resources that a token request is about. `granted` are those that the authorization or the refresh token is for, if any: a
 * request can narrow them (RFC 8707 section 2.2). `audience` are further ones. Throws `invalid_target` for others.
 */
export function resourcesFor(
  form: URLSearchParams,
  granted: readonly string[] | undefined,
  audience?: readonly string[],
): TokenResources {
  if (audience && audience.length > most) throw invalidTarget(`At most ${most} parameters: audience`);
  const named = resourcesIn(form);
  const wanted = audience ? [...new Set([...audience, ...(named ?? [])])] : named;
  if (granted && wanted?.some((one) => !granted.includes(one)))
    throw invalidTarget('The resource is not among those that were granted');
  return { access: wanted ?? granted, refresh: granted ?? wanted };
}

/** The claims without the roles that administer other realms, but for those that are kept. Roles with these names mean nothing in other realms. */
function withoutMasterRoles(claims: Claims, kept: readonly string[] = []): Claims {
  const { roles, ...more } = members(claims.realm_access);
  if (!Array.isArray(roles) || realmOfIssuer(claims.iss) !== masterName) return claims;
  const left = roles.filter((role) => kept.includes(role) || !masterRoles.some(({ name }) => name === role));
  return { ...claims, realm_access: { ...more, roles: left } };
}

/**
 * The claims of an access token of a client that is only for these resources. Each has to be in the audience that the token has without
 * them, by a mapper or by the roles of a client with this ID. Throws `invalid_target` otherwise, and for clients whose tokens stand for
 * all that the user may do.
 */
export function limitedTo(
  claims: Claims,
  { clientId }: { clientId: string },
  resources: readonly string[] | undefined,
): Claims {
  if (!resources) return claims;
  if (isAdminTool(clientId)) throw invalidTarget('Tokens of the client cannot be limited to resources');
  const audience = [claims.aud].flat();
  const missing = resources.find((one) => !audience.includes(one));
  if (missing !== undefined) throw invalidTarget(`The client gets no tokens for the resource ${missing}`);
  const { resource_access: access, ...rest } = withoutMasterRoles(claims);
  const left = Object.entries(members(access)).filter(([client]) => resources.includes(client));
  return {
    ...rest,
    aud: resources.length === 1 ? resources[0] : [...resources],
    ...(left.length > 0 && { resource_access: Object.fromEntries(left) }),
  };
}

/**
 * The claims of an access token for whose issue another one of the same client, `held`, is enough. It has no more audience, and roles
 * of no more clients: `held` may be limited to resources, and whoever has got it there must not get a token for others.
 */
export function withinReach(claims: Claims, held: Claims | undefined): Claims {
  if (!held) return claims;
  const {
    aud,
    resource_access: access,
    ...rest
  } = withoutMasterRoles(claims, textsOf(members(held.realm_access).roles));
  const known = [held.aud].flat();
  const audience = [aud].flat().filter((one) => one !== undefined && known.includes(one));
  const left = Object.entries(members(access)).filter(([client]) =>
    Object.hasOwn(members(held.resource_access), client),
  );
  return {
    ...rest,
    ...(audience.length > 0 && { aud: audience.length === 1 ? audience[0] : audience }),
    ...(left.length > 0 && { resource_access: Object.fromEntries(left) }),
  };
}
