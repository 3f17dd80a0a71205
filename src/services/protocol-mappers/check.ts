import type { Db } from '../../database/db.js';
import type { ScopeOwner } from '../client-scopes/locate.js';
import type { ProtocolMapperInput } from '../client-scopes/representation.js';
import { invalid, notFound } from '../core/refusal.js';
import { pairwiseFault, pairwiseMapper } from './pairwise.js';
import { isMapperType } from './types.js';

/** Refuses unknown kinds of mappers. Scripts are disabled, as in the reference server by default. */
export function requireTypes(mappers: readonly ProtocolMapperInput[]): void {
  for (const { protocolMapper } of mappers) {
    if (!isMapperType(protocolMapper)) throw notFound('ProtocolMapper provider not found', 'protocolMapper');
  }
}

/** The title of an error if it differs from its description. */
const titles = { sector: 'Invalid Sector Identifier URI.', redirectUris: undefined };

/**
 * Refuses configurations that cannot work. As recorded, only mappers of a client are checked: the validity of pairwise
 * subjects depends on its redirect URIs. `configOf` is the field with the configuration of the mapper at an index.
 */
export async function requireUsable(
  tx: Db,
  { owner }: ScopeOwner,
  mappers: readonly ProtocolMapperInput[],
  configOf: (index: number) => string = () => 'config',
): Promise<void> {
  const pairwise = [...mappers.entries()].filter(([, { protocolMapper }]) => protocolMapper === pairwiseMapper);
  if (owner.kind !== 'client' || pairwise.length === 0) return;
  const client = await tx.client.findUniqueOrThrow({
    where: { id: owner.id },
    select: { redirectUris: true, rootUrl: true },
  });
  for (const [index, { config }] of pairwise) {
    const sector = config?.sectorIdentifierUri ?? '';
    const fault = pairwiseFault(sector, client.redirectUris as string[], client.rootUrl ?? '');
    if (!fault) continue;
    const { message, of } = fault;
    throw invalid(message, configOf(index), { body: { error: titles[of] ?? message, error_description: message } });
  }
}
