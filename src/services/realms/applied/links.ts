import type { Db } from '../../../database/db.js';
import { type Delta, keyOfRow, type Row, rowsWritten, type TableDelta } from '../desired/delta.js';

const keyOf = (link: Row): string => keyOfRow('FederatedIdentity', link);

/** The keys of all links that an apply has written or deliberately left, before and after it. */
export function linksIn(delta: Delta): Set<string> {
  const { inserted = [], updated = [], deleted = [] } = delta.get('FederatedIdentity') ?? {};
  return new Set([...inserted, ...deleted, ...updated.flatMap(({ before, after }) => [before, after])].map(keyOf));
}

/** The aliases that identity providers lose, with the new ones; undefined for a deleted provider. */
function lostAliases(delta: Delta): Map<string, string | undefined> {
  const { updated = [], deleted = [] } = delta.get('IdentityProvider') ?? {};
  const renamed = updated.filter(({ columns }) => columns.includes('alias'));
  return new Map([
    ...deleted.map(({ alias }) => [String(alias), undefined] as const),
    ...renamed.map(({ before, after }) => [String(before.alias), String(after.alias)] as const),
  ]);
}

/** The aliases that identity providers get. */
const gainedAliases = (delta: Delta): string[] =>
  rowsWritten(delta, 'IdentityProvider', ['alias']).map(({ alias }) => String(alias));

/**
 * Adds the links of users that the plan has not read: they follow their identity provider, as after a manual change.
 * Links for which `isDecided` is true stay, and so do links that existed before their provider. These are noted without
 * a changed column, so that a revert leaves them too. At most one statement.
 */
export async function withLinks(
  db: Db,
  realmId: string,
  delta: Delta,
  isDecided: (link: Row) => boolean,
): Promise<Delta> {
  const lost = lostAliases(delta);
  const aliases = [...lost.keys(), ...gainedAliases(delta)];
  if (aliases.length === 0) return delta;
  const links: Row[] = await db.federatedIdentity.findMany({
    where: { identityProvider: { in: aliases }, user: { realmId } },
  });
  const known = linksIn(delta);
  const others = links.filter((one) => !known.has(keyOf(one)));
  if (others.length === 0) return delta;
  const own: TableDelta = delta.get('FederatedIdentity') ?? { inserted: [], updated: [], deleted: [] };
  const table = { inserted: [...own.inserted], updated: [...own.updated], deleted: [...own.deleted] };
  for (const link of others) {
    const alias = String(link.identityProvider);
    if (!lost.has(alias) || isDecided(link)) {
      table.updated.push({ before: link, after: link, columns: [] });
      continue;
    }
    const identityProvider = lost.get(alias);
    table.deleted.push(link);
    if (identityProvider !== undefined) table.inserted.push({ ...link, identityProvider });
  }
  return new Map(delta).set('FederatedIdentity', table);
}
