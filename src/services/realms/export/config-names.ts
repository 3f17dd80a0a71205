import type { ConfigName } from '../../authentication/encode.js';

/** Names configurations by their IDs, which stay the same after renaming. */
export const namedById =
  (): ConfigName =>
  ({ id }) =>
    id;

/**
 * Names configurations by their aliases, as in the contract, and by their IDs if several of a realm have the same
 * alias.
 */
export function distinctNames(configs: readonly { alias: string }[]): ConfigName {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { alias } of configs) (seen.has(alias) ? repeated : seen).add(alias);
  return ({ id, alias }) => (repeated.has(alias) ? id : alias);
}
