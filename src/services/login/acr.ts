import { members, textsOf } from '../core/json.js';

/** How users have proved who they are, as tokens tell it: by a session that was there, or in this very login. */
const levels = { bySession: '0', anew: '1' } as const;

/** What a client demands of a login: nothing, that users prove anew who they are, or what cannot be had. */
export type DemandedLevel = 'any' | 'anew' | 'unknown';

/**
 * The level that the parameter `claims` of an authorization request cannot do without (OpenID Connect Core section 5.5.1.1):
 * an essential `acr` with values has to have one of them.
 */
export function demandedLevel(claims: string | undefined): DemandedLevel {
  if (claims === undefined) return 'any';
  const asked = members(JSON.parse(claims));
  const demands = [members(asked.id_token).acr, members(asked.userinfo).acr].map(levelOf);
  if (demands.includes('unknown')) return 'unknown';
  return demands.includes('anew') ? 'anew' : 'any';
}

function levelOf(acr: unknown): DemandedLevel {
  const { essential, value, values } = members(acr);
  if (essential !== true || (value === undefined && values === undefined)) return 'any';
  const wanted = typeof value === 'string' ? [value, ...textsOf(values)] : textsOf(values);
  if (wanted.includes(levels.bySession)) return 'any';
  return wanted.includes(levels.anew) ? 'anew' : 'unknown';
}
