import type { Context } from '../core/context.js';
import { members } from '../core/json.js';
import { invalid, type Refusal } from '../core/refusal.js';
import { refuseWithin } from '../core/unit-of-work.js';
import { pairwiseMapper, redirectAddresses } from '../protocol-mappers/pairwise.js';
import { longestReading, type SectorDocuments, sectorDocuments } from './sector-documents.js';

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

/** The documents of the clients that one request writes. */
export const documentsFor = ({ services }: Context): SectorDocuments => sectorDocuments(services.fetchPublic);

/**
 * Why a client may not share its subjects with a sector: the document at its sector identifier has to list all its redirect URIs
 * (OpenID Connect Core, section 8.1). It is fetched if the client has come to name another sector or other addresses since `before`.
 */
async function sectorFault(
  ctx: Context,
  documents: SectorDocuments,
  client: SectorClient,
  before: SectorClient = {},
): Promise<string | undefined> {
  const sector = sectorOf(client);
  const addresses = addressesOf(client);
  const known = new Set(sector === sectorOf(before) ? addressesOf(before) : []);
  if (!URL.canParse(sector) || addresses.every((uri) => known.has(uri))) return undefined;
  // others would wait for the transaction as long as the address takes to answer
  refuseWithin(ctx, 'The document of a sector cannot be read');
  const listed = await documents.listedAt(sector);
  if (listed === 'late') {
    return `The documents of all Sector Identifier URIs must be read within ${longestReading} seconds: write fewer clients at once.`;
  }
  if (!listed) return 'Failed to get redirect URIs from the Sector Identifier URI.';
  if (addresses.every((uri) => listed.includes(uri))) return undefined;
  return 'Client redirect URIs does not match redirect URIs fetched from the Sector Identifier URI.';
}

/** Refuses a client that shares its subjects with a sector which does not know of it, see `sectorFault`. */
export async function requireSector(
  ctx: Context,
  client: SectorClient,
  before?: SectorClient,
  documents = documentsFor(ctx),
): Promise<void> {
  const fault = await sectorFault(ctx, documents, client, before);
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
  const documents = documentsFor(ctx);
  const faults = await Promise.all(
    pairwise.map(async ([index, mapper]) => {
      const fault = await sectorFault(ctx, documents, { ...client, protocolMappers: [mapper] });
      return [index, fault] as const;
    }),
  );
  for (const [index, fault] of faults) {
    if (fault) throw invalid(fault, configOf(index), { body: { error: fault, error_description: fault } });
  }
}
