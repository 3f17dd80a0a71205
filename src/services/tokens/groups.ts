import type { Db } from '../../database/db.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { members } from '../core/json.js';
import { rememberWith } from '../core/memory.js';
import { mappersOf, type ScopeChoice } from './scopes.js';
import type { TokenClient, TokenGroup, TokenMapper, TokenUser } from './types.js';

interface Row {
  groupId: string;
  path: string;
  distance: number;
  name: string | null;
  value: string | null;
}

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
  const asked = mappers.some(({ protocolMapper }) => protocolMapper === 'oidc-group-membership-mapper');
  const missing = inherited(user.attributes ?? [], mappers);
  const given = missing.length > 0 ? await namesGiven(client, () => givenByGroups(db, client)) : new Set();
  const names = missing.filter((name) => given.has(name));
  if (!asked && names.length === 0) return [];
  const wanted = names.length > 0 ? Prisma.sql`IN (${Prisma.join(names)})` : Prisma.sql`IS NULL`;
  const rows = await db.query<Row>(Prisma.sql`
    WITH RECURSIVE "above"("member", "id", "parentId", "distance") AS (
      SELECT g."id", g."id", g."parentId", 0 FROM "UserGroup" u JOIN "Group" g ON g."id" = u."groupId"
       WHERE u."userId" = ${user.id}
      UNION ALL
      SELECT a."member", g."id", g."parentId", a."distance" + 1 FROM "above" a JOIN "Group" g ON g."id" = a."parentId"
    )
    SELECT a."member" AS "groupId", m."path" AS "path", a."distance" AS "distance", t."name" AS "name", t."value" AS "value"
      FROM "above" a JOIN "Group" m ON m."id" = a."member"
      LEFT JOIN "GroupAttribute" t ON t."groupId" = a."id" AND t."name" ${wanted}
     WHERE a."distance" = 0 OR t."name" IS NOT NULL
     ORDER BY m."path", a."distance", t."name", t."position"`);
  return grouped(rows);
}

const namesGiven = rememberWith<TokenClient, ReadonlySet<string>>();

/** Of the attributes that mappers of the client ask for, those that any group has, in whatever realm: one statement. */
async function givenByGroups(db: Db, client: TokenClient): Promise<ReadonlySet<string>> {
  const mappers = [
    ...client.protocolMappers,
    ...client.scopes.flatMap(({ clientScope }) => clientScope.protocolMappers),
  ];
  const rows = await db.query<{ name: string }>(
    Prisma.sql`SELECT i."item" AS "name" FROM (${listed(db, inherited([], mappers))}) AS i
      WHERE EXISTS (SELECT 1 FROM "GroupAttribute" t WHERE t."name" = i."item")`,
  );
  return new Set(rows.map(({ name }) => name));
}

function grouped(rows: readonly Row[]): TokenGroup[] {
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
    if (protocolMapper !== 'oidc-usermodel-attribute-mapper' || typeof name !== 'string' || name === '') return [];
    return own.has(name) && config['aggregate.attrs'] !== 'true' ? [] : [name];
  });
  return [...new Set(asked)];
}
