import { type Json, listOf } from './kinds.js';
import type { Idle } from './unknown-names.js';

const versionOf = ({ secretVersion }: Json): number => (typeof secretVersion === 'number' ? secretVersion : 0);

/** Whether the desired version of a client's secret is later than the current one. */
export const isLaterVersion = (current: Json, desired: Json): boolean => versionOf(desired) > versionOf(current);

/**
 * The change of a client's secret by a file. A later version creates a new secret unless the file gives one. An earlier
 * version changes nothing.
 */
export function secretOf(current: Json, given: Json): Json {
  if (given.secretVersion === undefined) return {};
  if (!isLaterVersion(current, given)) return { secretVersion: current.secretVersion };
  return { secret: given.secret };
}

/** Whether a client logs in with a secret. */
export const hasSecret = ({ publicClient, bearerOnly, protocol }: Json): boolean =>
  publicClient !== true && bearerOnly !== true && protocol !== 'saml';

/** Warnings about versions of secrets in a file that have no effect. */
export function versionWarnings(given: Json, current: Json, desired: Json): Idle[] {
  const [were, are] = [current, desired].map(
    (realm) => new Map(listOf(realm, 'clients').map((client) => [client.id, client])),
  );
  const byName = new Map(listOf(desired, 'clients').map((client) => [client.clientId, client]));
  return listOf(given, 'clients').flatMap((client, index) => {
    if (client.secretVersion === undefined) return [];
    const after = are?.get(client.id) ?? byName.get(client.clientId);
    const before = after && were?.get(after.id);
    const path = ['clients', String(index), 'secretVersion'];
    if (before && isLaterVersion(client, before))
      return [{ path, message: `is lower than that of the client, which is ${versionOf(before)}: its secret stays.` }];
    if (after && !hasSecret(after) && versionOf(client) > versionOf(before ?? {}))
      return [{ path, message: 'has no effect: the client has no secret.' }];
    return [];
  });
}
