import { makesKeys } from '../../components/secrets.js';
import { invalid, type Refusal, refuseAll } from '../../core/refusal.js';
import type { Json } from './kinds.js';

/** A mask in a file for which the realm has no secret: the object of the file, and the path of the mask in it. */
export interface LostSecret {
  object: Json;
  path: readonly string[];
}

/** The path of a member of a value; undefined if it is not in it. */
function pathTo(value: unknown, member: Json): string[] | undefined {
  if (value === member) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const path = pathTo(item, member);
    if (path) return [name, ...path];
  }
  return undefined;
}

const withSecret: ReadonlySet<unknown> = new Set([undefined, 'client-secret', 'client-secret-jwt']);

/**
 * Whether the mask has no meaning: exports have one for clients that authenticate without a secret, and for keys that
 * are generated again.
 */
function isNeedless({ object, path }: LostSecret, place: readonly string[]): boolean {
  if (makesKeys(place.at(-2) ?? '', String(object.providerId))) return true;
  const isOfClient = place[0] === 'clients' && path.length === 1 && path[0] === 'secret';
  const { publicClient, bearerOnly, clientAuthenticatorType } = object;
  return isOfClient && (publicClient === true || bearerOnly === true || !withSecret.has(clientAuthenticatorType));
}

const message =
  'The mask stands for a secret that the realm does not have. Give the secret, or remove the field: a client then gets a new one.';

/**
 * Refuses a file with masks for missing secrets: the described object would have no secret, and nobody would notice.
 */
export function requireSecrets(given: Json, lost: readonly LostSecret[]): void {
  const refusals = lost.flatMap((one): Refusal[] => {
    const place = pathTo(given, one.object);
    if (!place || isNeedless(one, place)) return [];
    const path = [...place, ...one.path];
    const code = 'SECRET_REQUIRED';
    return [invalid(message, path.join('.'), { code, faults: [{ path, message, code }] })];
  });
  refuseAll(refusals);
}
