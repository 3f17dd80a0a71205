import { delegateOf } from '../../database/delegate.js';
import { permissionFor } from '../core/allow.js';
import type { Context } from '../core/context.js';
import { isEmpty, isNone } from '../core/operation.js';
import { permitFor } from '../core/permit.js';
import type { Permit } from '../core/ports.js';
import { userStorage } from '../core/realm.js';
import { realmById } from '../realms/locate.js';
import * as realms from '../realms/operations.js';
import { type Permits, visibleAmong, visibleRealms } from '../realms/visible.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { kindOf, type SearchType, type Source, searchTypes } from './kinds.js';
import { bestMatch, type Matched, matches, searchedText } from './match.js';

type Row = Readonly<Record<string, unknown>> & { id: string };

interface Search {
  text: string;
  types?: readonly SearchType[] | undefined;
  /** IDs of realms; undefined for all */
  realmIds?: readonly string[] | undefined;
  most: number;
}

/** An object that was found, with the field that matches best. */
export interface Hit extends Matched {
  type: SearchType;
  id: string;
  realmId: string;
  /** the displayed name of the object */
  name: string;
}

/** The permits of the caller in the given realms that it may view, by the rules of the list of realms. */
async function permitsIn(ctx: Context, realmIds: readonly string[] | undefined): Promise<Permits> {
  const wanted = realmIds && new Set(realmIds);
  const permits = new Map(await (realmIds ? visibleAmong(ctx, realmIds) : visibleRealms(ctx)));
  const own = ctx.caller.realmId;
  // fine-grained permissions, which only the caller's own realm has for it, may grant more than the roles
  if (!wanted || wanted.has(own)) permits.set(own, await permitFor(ctx, await realmById(ctx, own)));
  const found = [...permits].filter(
    ([id, permit]) => (!wanted || wanted.has(id)) && permit.can(permissionFor(realms.name)),
  );
  for (const [id, permit] of found) if (!ctx.permits.has(id)) ctx.permits.set(id, permit);
  return new Map(found);
}

/** The filter for the visible rows of a listing: empty for all rows, undefined for none. */
function limitOf({ listing, kind, client }: Source, permit: Permit): object | undefined {
  const permission = permissionFor(listing, kind);
  if (permit.can(permission)) {
    const limit = listing.visible ? permit.visible(listing.visible) : {};
    return isNone(limit) ? undefined : limit;
  }
  if (!client || !permit.delegation) return undefined;
  const ids = [...permit.delegation.clients.keys()].filter((id) => permit.may(permission, 'client', id));
  return ids.length > 0 ? { [client]: { in: ids } } : undefined;
}

/** These filters of the realms in which the listing shows rows. */
const limitsOf = (source: Source, permits: Permits): Map<string, object> =>
  new Map(
    [...permits].flatMap(([id, permit]) => {
      const limit = limitOf(source, permit);
      return limit ? [[id, limit] as const] : [];
    }),
  );

/** One filter for all of these realms. */
function within(column: string, limits: ReadonlyMap<string, object>): object {
  const whole = [...limits].filter(([, limit]) => isEmpty(limit)).map(([id]) => id);
  const parts = [...limits]
    .filter(([, limit]) => !isEmpty(limit))
    .map(([id, limit]) => ({ [column]: id, AND: [limit] }));
  if (parts.length === 0) return { [column]: { in: whole } };
  return { OR: [...(whole.length > 0 ? [{ [column]: { in: whole } }] : []), ...parts] };
}

/** The filter of the users of these realms that exist for callers. One statement, unless no users are searched for. */
async function existing(ctx: Context, type: SearchType, realmIds: readonly string[]): Promise<object> {
  if (type !== 'USER') return {};
  const where = { realmId: { in: [...realmIds] }, providerType: userStorage };
  return shownUsers({ components: await ctx.db.component.findMany({ where, select: { id: true, config: true } }) });
}

async function searchKind(ctx: Context, type: SearchType, permits: Permits, { text, most }: Search): Promise<Hit[]> {
  const { model, realm, name, sources } = kindOf(type);
  const limited = sources
    .map((source) => ({ source, limits: limitsOf(source, permits), tests: source.tests(text) }))
    .filter(({ limits }) => limits.size > 0);
  if (limited.length === 0) return [];
  const shown = await existing(ctx, type, [...permits.keys()]);
  const queries = matches.map((match) => {
    const parts = limited.map(({ source, limits, tests }) => ({
      AND: [within(realm, limits), source.where ?? {}, tests[match]].filter((part) => !isEmpty(part)),
    }));
    return {
      where: { AND: [...(parts.length === 1 ? parts : [{ OR: parts }]), shown] },
      orderBy: [{ [name]: 'asc' }, { id: 'asc' }],
      take: most,
      select: Object.fromEntries(
        ['id', realm, ...sources.flatMap(({ fields }) => fields)].map((field) => [field, true]),
      ),
    };
  });
  const rows = (await delegateOf<Row>(ctx.db, model).findManyEach({ queries })).flat();
  return [...new Map(rows.map((row) => [row.id, row])).values()].flatMap((row) => {
    const realmId = String(row[realm]);
    const fields = limited.flatMap(({ source, limits }) => (limits.has(realmId) ? source.fields : []));
    const best = bestMatch(row, [...new Set(fields)], text);
    return best ? [{ ...best, type, id: row.id, realmId, name: String(row[name]) }] : [];
  });
}

const byRank = (one: Hit, other: Hit): number =>
  matches.indexOf(one.match) - matches.indexOf(other.match) ||
  compare(one.name, other.name) ||
  searchTypes.indexOf(one.type) - searchTypes.indexOf(other.type) ||
  compare(one.id, other.id);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/**
 * The objects that match a text and that the listings show to the caller: best matches first. It uses one statement for
 * each type, regardless of the number of realms and rows. Users need another one for their storages, and on SQLite one
 * or more for the index of trigrams.
 */
export async function search(ctx: Context, wanted: Search): Promise<Hit[]> {
  const text = searchedText(wanted.text);
  if (text === '') return [];
  const permits = await permitsIn(ctx, wanted.realmIds);
  if (permits.size === 0) return [];
  const types = searchTypes.filter((type) => !wanted.types || wanted.types.includes(type));
  const found = await Promise.all(types.map((type) => searchKind(ctx, type, permits, { ...wanted, text })));
  return found.flat().toSorted(byRank).slice(0, wanted.most);
}
