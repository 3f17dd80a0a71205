import type { Db } from '../../../database/db.js';
import { members, textsOf } from '../../core/json.js';
import type { Claims } from '../../tokens/claims.js';
import type { TokenRole } from '../../tokens/types.js';
import type { EvaluatedPolicy } from './store.js';

/** The requesting party, as policies see it. */
export interface Identity {
  userId: string;
  /** the owner of the resources that belong to the caller; without one no resource does */
  ownerId?: string;
  /** row ID of the requesting client */
  clientId: string | undefined;
  /** names of the client scopes of the access token; undefined without a token */
  scopes?: readonly string[];
  /** claims about the user from the mappers of the resource server: mappers of another client could claim anything */
  claims: Claims;
  /** roles by `roleKey` */
  roles: ReadonlySet<string>;
  /** paths of the groups with the user as a direct member */
  groups: readonly string[];
  /** milliseconds since 1970 */
  now: number;
}

/** A key of a role: the clientId of its client (null for a realm role) and its name, each with any characters. */
export const roleKey = (client: string | null | undefined, name: string): string =>
  JSON.stringify([client ?? null, name]);

/**
 * The keys of the roles that a text may name: a realm role, or a client role with the clientId before a slash. Both
 * names may contain slashes, too.
 */
export const keysOfName = (text: string): string[] => [
  roleKey(null, text),
  ...[...text.matchAll(/\//g)].map(({ index }) => roleKey(text.slice(0, index), text.slice(index + 1))),
];

/** Roles by `roleKey`. */
export const roleKeys = (roles: readonly TokenRole[]): Set<string> =>
  new Set(roles.map(({ name, clientId }) => roleKey(clientId, name)));

/** Whether a policy looks at claims about the caller. */
export const needsClaims = (policies: ReadonlyMap<string, EvaluatedPolicy>): boolean =>
  [...policies.values()].some(
    ({ type, config }) => type === 'regex' || (type === 'group' && Boolean(members(config).groupsClaim)),
  );

/** The roles in an access token, by `roleKey`. */
export function rolesInClaims(claims: Claims): Set<string> {
  const ofClients = Object.entries(members(claims.resource_access)).flatMap(([client, access]) =>
    textsOf(members(access).roles).map((name) => roleKey(client, name)),
  );
  return new Set([...textsOf(members(claims.realm_access).roles).map((name) => roleKey(null, name)), ...ofClients]);
}

/** The paths of the groups with a user as a direct member. */
export async function groupPaths(db: Db, userId: string): Promise<string[]> {
  const groups = await db.userGroup.findMany({ where: { userId }, select: { group: { select: { path: true } } } });
  return groups.map(({ group }) => group.path);
}
