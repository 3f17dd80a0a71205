import type { TokenRole } from '../tokens/types.js';

/** The names of roles as conditions of flows have them: those of clients with the clientId and a dot before them. */
export const roleNames = (held: readonly TokenRole[]): Set<string> =>
  new Set(held.map(({ name, clientId }) => (clientId === undefined ? name : `${clientId}.${name}`)));
