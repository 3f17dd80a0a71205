import type { Context } from '../core/context.js';
import { members, textsOf } from '../core/json.js';
import { invalid, type Refusal } from '../core/refusal.js';
import { refuseWithin } from '../core/unit-of-work.js';
import { pairwiseMapper, redirectAddresses } from '../protocol-mappers/pairwise.js';

/** The fields of a client that decide about its sector. */
interface SectorClient {
  rootUrl?: string | null | undefined;
  redirectUris?: unknown;
  protocolMappers?: readonly { protocolMapper?: string | null | undefined; config?: unknown }[] | undefined;
}

/** The address that stands for the redirect URIs of a client. A client has one subject: the first mapper decides. */
function sectorOf({ protocolMappers = [] }: SectorClient): string {
  const mapper = protocolMappers.find(
    ({ protocolMapper, config }) => protocolMapper === pairwiseMapper && members(config).sectorIdentifierUri,
  );
  return String(members(mapper?.config).sectorIdentifierUri ?? '');
}

const addressesOf = ({ redirectUris, rootUrl }: SectorClient): string[] => redirectAddresses(redirectUris, rootUrl);

/** The redirect URIs that the document at a sector identifier lists; nothing where there is none. */
async function listedAt({ services }: Context, address: string): Promise<string[] | undefined> {
  try {
    const answer = await services.fetchPublic(address, { headers: { accept: 'application/json' } });
    return answer.ok ? textsOf(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Why a client may not share its subjects with a sector: the document at its sector identifier has to list all its redirect URIs
 * (OpenID Connect Core, section 8.1). It is fetched if the client has come to name another sector or other addresses since `before`.
 */
async function sectorFault(ctx: Context, client: SectorClient, before: SectorClient = {}): Promise<string | undefined> {
  const sector = sectorOf(client);
  const addresses = addressesOf(client);
  const known = new Set(sector === sectorOf(before) ? addressesOf(before) : []);
  if (!URL.canParse(sector) || addresses.every((uri) => known.has(uri))) return undefined;
  // others would wait for the transaction as long as the address takes to answer
  refuseWithin(ctx, 'The document of a sector cannot be read');
  const listed = await listedAt(ctx, sector);
  if (!listed) return 'Failed to get redirect URIs from the Sector Identifier URI.';
  if (addresses.every((uri) => listed.includes(uri))) return undefined;
  return 'Client redirect URIs does not match redirect URIs fetched from the Sector Identifier URI.';
}

/** Refuses a client that shares its subjects with a sector which does not know of it, see `sectorFault`. */
export async function requireSector(ctx: Context, client: SectorClient, before?: SectorClient): Promise<void> {
  const fault = await sectorFault(ctx, client, before);
  if (fault !== undefined) throw ofClient(fault);
}

const ofClient = (text: string): Refusal =>
  invalid(text, 'protocolMappers', { body: { error: 'invalid_input', error_description: text } });

/** The same for mappers that a client is to have. `configOf` is the field with the configuration of the mapper at an index. */
export async function requireSectorOfMappers(
  ctx: Context,
  clientId: string,
  mappers: readonly { protocolMapper?: string | null | undefined; config?: unknown }[],
  configOf: (index: number) => string = () => 'config',
): Promise<void> {
  const pairwise = [...mappers.entries()].filter(([, { protocolMapper }]) => protocolMapper === pairwiseMapper);
  if (pairwise.length === 0) return;
  const where = { id: clientId };
  const client = await ctx.db.client.findFirst({ where, select: { redirectUris: true, rootUrl: true } });
  for (const [index, mapper] of pairwise) {
    const fault = await sectorFault(ctx, { ...client, protocolMappers: [mapper] });
    if (fault) throw invalid(fault, configOf(index), { body: { error: fault, error_description: fault } });
  }
}
