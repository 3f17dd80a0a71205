import type { ClientInput } from '../clients/representation.js';
import type { FullClient } from '../clients/store.js';
import type { Context } from '../core/context.js';
import { members } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { pairwiseMapper } from '../protocol-mappers/pairwise.js';
import { badMetadata } from './faults.js';
import { clientOfMetadata } from './from-metadata.js';
import type { OidcClient } from './metadata.js';

type Mappers = NonNullable<ClientInput['protocolMappers']>;

/** Adds a salt to mappers for pairwise subjects, so that nobody can compute the subjects of others. */
const salted = (ctx: Context, mappers: Mappers): Mappers =>
  mappers.map((mapper) => ({
    ...mapper,
    config: { ...mapper.config, pairwiseSubAlgorithmSalt: ctx.services.newId() },
  }));

/**
 * A new client from its metadata. The scope names the optional client scopes, besides the defaults of every client of
 * the realm.
 */
export async function newClientOf(ctx: Context, realm: RealmRecord, metadata: OidcClient): Promise<ClientInput> {
  if (metadata.client_id !== undefined) throw badMetadata('Client Identifier included', 'clientId');
  const client = clientOfMetadata(metadata);
  const mappers = client.protocolMappers && { protocolMappers: salted(ctx, client.protocolMappers) };
  if (!client.optionalClientScopes) return { ...client, ...mappers };
  const defaults = await ctx.db.clientScope.findMany({
    where: { realmId: realm.id, protocol: 'openid-connect', assignment: 'default' },
    select: { name: true },
  });
  const defaultClientScopes = defaults.map(({ name }) => name);
  const optionalClientScopes = client.optionalClientScopes.filter((name) => !defaultClientScopes.includes(name));
  return { ...client, ...mappers, defaultClientScopes, optionalClientScopes };
}

/** The changes of a client by its metadata. Its mappers stay, except the one for pairwise subjects. */
export function changedClientOf(ctx: Context, before: FullClient, metadata: OidcClient): ClientInput {
  const { optionalClientScopes: _assignedApart, protocolMappers: wanted = [], ...client } = clientOfMetadata(metadata);
  const others: Mappers = before.protocolMappers
    .filter(({ protocolMapper }) => protocolMapper !== pairwiseMapper)
    .map(({ name, protocol, protocolMapper, config }) => ({
      name,
      ...(protocol !== null && { protocol }),
      ...(protocolMapper !== null && { protocolMapper }),
      config: config as Record<string, string>,
    }));
  const held = before.protocolMappers.filter(({ protocolMapper }) => protocolMapper === pairwiseMapper);
  const sectorOf = (mapper: { config?: unknown } | undefined) => members(mapper?.config).sectorIdentifierUri ?? '';
  const isSame = held.length === wanted.length && (held.length === 0 || sectorOf(held[0]) === sectorOf(wanted[0]));
  return isSame ? client : { ...client, protocolMappers: [...others, ...salted(ctx, wanted)] };
}
