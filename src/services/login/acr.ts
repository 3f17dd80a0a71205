import { members, textsOf } from '../core/json.js';
import { levelNotReached } from './refusals.js';

/** Level of authentication that a client asks for. */
export interface DemandedLevel {
  level: number;
  /** whether a login of a lower level is refused */
  isEssential: boolean;
  /** the values of `acr` that the client asks for, the preferred one first */
  names: string[];
}

/** Parties that give names to levels of authentication. */
interface Naming {
  realm: { attributes: unknown };
  client: { attributes: unknown };
}

const mapName = 'acr.loa.map';

/** The levels of authentication by the names that clients use (`acr`): those of the client, or else of the realm. */
function namedLevels({ realm, client }: Naming): ReadonlyMap<string, number> {
  const own = levelsIn(members(client.attributes)[mapName]);
  return own.size > 0 ? own : realmLevels(realm);
}

/** The levels of authentication by the names that a realm has for them. */
export const realmLevels = ({ attributes }: Naming['realm']): ReadonlyMap<string, number> =>
  levelsIn(members(attributes)[mapName]);

function levelsIn(text: unknown): ReadonlyMap<string, number> {
  try {
    const entries = Object.entries(members(JSON.parse(String(text ?? ''))));
    return new Map(entries.map(([name, level]) => [name, Number(level)] as const).filter(([, level]) => level >= 0));
  } catch {
    return new Map();
  }
}

const levelNamed = (names: ReadonlyMap<string, number>, name: string): number | undefined =>
  names.get(name) ?? (/^\d{1,4}$/.test(name) ? Number(name) : undefined);

/** The level that the minimum of a client stands for: one that no flow reaches if the name is unknown, so that it is not left out of account. */
const leastLevel = (known: ReadonlyMap<string, number>, name: string): number | undefined =>
  name === '' ? undefined : (levelNamed(known, name) ?? Number.MAX_SAFE_INTEGER);

/**
 * The level that an authorization request asks for: by the claim `acr` of the parameter `claims` (OpenID Connect Core section 5.5.1.1), by
 * `acr_values`, or by the client's default, and at least the client's minimum. Throws what the client is told if an essential
 * claim names no level.
 */
export function demandedLevel(
  naming: Naming,
  { claims, acrValues }: { claims?: string | undefined; acrValues?: string | undefined },
): DemandedLevel | undefined {
  const attributes = members(naming.client.attributes);
  const known = namedLevels(naming);
  const asked = claims === undefined ? {} : members(JSON.parse(claims));
  const wishes = [members(asked.id_token).acr, members(asked.userinfo).acr].map(members);
  const valuesOf = ({ value, values }: Record<string, unknown>) => [...textsOf([value]), ...textsOf(values)];
  const essential = wishes.filter(({ essential }) => essential === true).flatMap(valuesOf);
  const listed = [
    wishes.flatMap(valuesOf),
    (acrValues ?? '').split(' ').filter((name) => name !== ''),
    textsOf(String(attributes['default.acr.values'] ?? '').split('##')).filter((name) => name !== ''),
  ].find((names) => names.length > 0);
  const names = essential.length > 0 ? essential : (listed ?? []);
  const levels = names.flatMap((name) => levelNamed(known, name) ?? []);
  if (essential.length > 0 && levels.length === 0) throw levelNotReached();
  const least = leastLevel(known, String(attributes['minimum.acr.value'] ?? '').trim());
  if (levels.length === 0 && least === undefined) return undefined;
  const level = Math.max(least ?? 0, levels.length > 0 ? Math.min(...levels) : 0);
  return { level, isEssential: essential.length > 0 || least !== undefined, names };
}

/** Name of a level for a client (`acr`): the highest one of those that it asks for, else of all that are known, else the number. */
export function acrOf(naming: Naming, level: number, asked: readonly string[]): string {
  const known = namedLevels(naming);
  const highest = (names: Iterable<string>): string | undefined =>
    [...names]
      .filter((name) => (levelNamed(known, name) ?? Number.POSITIVE_INFINITY) <= level)
      .sort((one, other) => (levelNamed(known, other) ?? 0) - (levelNamed(known, one) ?? 0))[0];
  return (known.size > 0 && (highest(asked) ?? highest(known.keys()))) || String(level);
}
