import type { Db } from '../../database/db.js';
import { members } from '../core/json.js';
import { rememberWith } from '../core/scoped-cache.js';
import { mappersOf, type ScopeChoice } from './scopes.js';
import { attributesOfGroups, type GroupRow, groupsAround } from './store.js';
import type { TokenClient, TokenGroup, TokenMapper, TokenUser } from './types.js';

const memberships = new Set(['oidc-group-membership-mapper', 'saml-group-membership-mapper']);
const attributeMappers = new Set(['oidc-usermodel-attribute-mapper', 'saml-user-attribute-mapper']);

/**
 * The groups of a user as far as the mappers of the client ask for them, in the order of their paths: one statement besides
 * what is known of the client, and none at all for a user without groups or whose own attributes are enough.
 */
export async function groupsFor(db: Db, user: TokenUser, client: TokenClient, scope: ScopeChoice) {
  return user._count.groups === 0 ? [] : groupsOf(db, user, client, scope);
}

/** The same for a user of whom nothing but the id is known yet. */
export async function groupsOf(
  db: Db,
  user: Pick<TokenUser, 'id'> & Partial<Pick<TokenUser, 'attributes'>>,
  client: TokenClient,
  scope: ScopeChoice,
): Promise<TokenGroup[]> {
  const mappers = mappersOf(client, scope);
  const asked = mappers.some(({ protocolMapper }) => memberships.has(protocolMapper ?? ''));
  const missing = inherited(user.attributes ?? [], mappers);
  const given = missing.length > 0 ? await namesGiven(client, () => givenByGroups(db, client)) : new Set();
  const names = missing.filter((name) => given.has(name));
  if (!asked && names.length === 0) return [];
  const rows = await groupsAround(db, user.id, names);
  return grouped(rows);
}

const namesGiven = rememberWith<TokenClient, ReadonlySet<string>>();

/** Of the attributes that mappers of the client ask for, those that any group has, in whatever realm: one statement. */
async function givenByGroups(db: Db, client: TokenClient): Promise<ReadonlySet<string>> {
  const mappers = [
    ...client.protocolMappers,
    ...client.scopes.flatMap(({ clientScope }) => clientScope.protocolMappers),
  ];
  return new Set(await attributesOfGroups(db, inherited([], mappers)));
}

function grouped(rows: readonly GroupRow[]): TokenGroup[] {
  const groups = new Map<string, { path: string; attributes: Map<string, string[]>; nearest: Map<string, number> }>();
  for (const { groupId, path, distance, name, value } of rows) {
    const group = groups.get(groupId) ?? { path, attributes: new Map(), nearest: new Map() };
    groups.set(groupId, group);
    if (name === null || value === null) continue;
    const depth = Number(distance);
    const nearest = group.nearest.get(name) ?? depth;
    group.nearest.set(name, nearest);
    if (nearest < depth) continue;
    group.attributes.set(name, [...(group.attributes.get(name) ?? []), value]);
  }
  return [...groups.values()];
}

/** The attributes that groups are asked for: those that the user has none of, and those to which groups add. */
function inherited(attributes: TokenUser['attributes'], mappers: readonly TokenMapper[]): string[] {
  const own = new Set(attributes.map(({ name }) => name));
  const asked = mappers.flatMap(({ protocolMapper, config: stored }) => {
    const config = members(stored);
    const name = config['user.attribute'];
    if (!attributeMappers.has(protocolMapper ?? '') || typeof name !== 'string' || name === '') return [];
    return own.has(name) && config['aggregate.attrs'] !== 'true' ? [] : [name];
  });
  return [...new Set(asked)];
}
