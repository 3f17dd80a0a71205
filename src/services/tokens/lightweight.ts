import { members } from '../core/json.js';

/** The claim by which this server knows its lightweight access tokens. */
export const lightweightClaim = 'lightweight';

/** All of the plan of a token that decides whether it has few claims. */
interface Planned {
  client: { attributes: unknown };
  lightweight?: boolean | undefined;
  besides?: unknown;
  within?: unknown;
  resources?: { access?: unknown };
}

/**
 * Whether an access token is to have few claims. One that reaches less far than the client has all of them: they are its limits, and
 * the server could not find them out again.
 */
export function isLightweight({ client, lightweight, besides, within, resources }: Planned): boolean {
  if (besides || within || resources?.access) return false;
  return lightweight ?? members(client.attributes)['client.use.lightweight.access.token.enabled'] === 'true';
}
