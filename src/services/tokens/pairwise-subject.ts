import { createHash } from 'node:crypto';
import { members } from '../core/json.js';
import { pairwiseMapper, redirectAddresses } from '../protocol-mappers/pairwise.js';
import type { TokenClient } from './types.js';

export { pairwiseMapper };

type Config = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname || undefined : undefined;

/** The host that stands for all addresses of the client (OpenID Connect Core, section 8.1), where there is one. */
function sectorOf({ redirectUris, rootUrl }: Pick<TokenClient, 'redirectUris' | 'rootUrl'>, config: Config) {
  const sector = textOf(config.sectorIdentifierUri);
  if (sector !== '') return hostOf(sector);
  const addresses = redirectAddresses(redirectUris, rootUrl);
  return addresses.map((address) => hostOf(address.replace(/\*$/, ''))).find((host) => host !== undefined);
}

/**
 * The subject by which only clients of the same sector know the user: the SHA-256 of sector, user and salt, as a UUID of
 * version 3 made from it, so that an imported realm keeps the subjects that its clients know. Nothing without a sector.
 */
export function pairwiseSubject(
  client: Pick<TokenClient, 'redirectUris' | 'rootUrl'>,
  userId: string,
  config: Config,
): string | undefined {
  const sector = sectorOf(client, config);
  if (sector === undefined) return undefined;
  const digest = createHash('sha256').update(sector).update(userId).update(textOf(config.pairwiseSubAlgorithmSalt));
  const bytes = createHash('md5').update(digest.digest()).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x30, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The subjects by which a client may know the user, by its own mappers and those of its client scopes. */
export function pairwiseSubjects(
  client: Pick<TokenClient, 'redirectUris' | 'rootUrl' | 'protocolMappers' | 'scopes'>,
  userId: string,
): string[] {
  const ofScopes = client.scopes.flatMap(({ clientScope }) => clientScope.protocolMappers);
  return [...client.protocolMappers, ...ofScopes]
    .filter(({ protocolMapper }) => protocolMapper === pairwiseMapper)
    .flatMap(({ config }) => pairwiseSubject(client, userId, members(config)) ?? []);
}
