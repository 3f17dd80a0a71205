import type { ClientInput } from '../clients/representation.js';
import type { Context } from '../core/context.js';
import { textsOf } from '../core/json.js';
import { pairwiseMapper } from '../protocol-mappers/pairwise.js';
import { badMetadata } from './faults.js';

/** The redirect URIs that the document at a sector identifier lists; nothing where there is none. */
async function listedAt(ctx: Context, address: string): Promise<string[] | undefined> {
  try {
    const answer = await ctx.services.fetchPublic(address, { headers: { accept: 'application/json' } });
    return answer.ok ? textsOf(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Refuses a client that shares its subjects with a sector which does not know of it: the document at
 * sector_identifier_uri has to list its redirect URIs (OpenID Connect Dynamic Client Registration, section 5).
 */
export async function requireSectorAddresses(ctx: Context, client: ClientInput): Promise<void> {
  for (const { protocolMapper, config } of client.protocolMappers ?? []) {
    const sector = config?.sectorIdentifierUri;
    if (protocolMapper !== pairwiseMapper || !sector) continue;
    const listed = await listedAt(ctx, sector);
    if (!listed) {
      throw badMetadata('Failed to get redirect URIs from the Sector Identifier URI.', 'protocolMappers');
    }
    if (!(client.redirectUris ?? []).every((uri) => listed.includes(uri))) {
      const text = 'Client redirect URIs does not match redirect URIs fetched from the Sector Identifier URI.';
      throw badMetadata(text, 'protocolMappers');
    }
    // a client has one subject: the first mapper decides
    return;
  }
}
