import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { MapperRow } from '../client-scopes/encode.js';
import { protocolMapperFields } from '../client-scopes/fields.js';
import type { ScopeOwner } from '../client-scopes/locate.js';
import type { ProtocolMapperInput } from '../client-scopes/representation.js';
import type { Context } from '../core/context.js';
import { newColumns } from '../core/fields.js';
import { ownIds } from '../core/own-id.js';
import { invalid } from '../core/refusal.js';

export interface NewMapper extends MapperRow {
  realmId: string;
  clientId: string | null;
  clientScopeId: string | null;
  container: string;
  config: Record<string, string>;
}

/** The condition for the protocol mappers of a client or client scope. */
export const mappersOf = ({ realm, owner }: ScopeOwner): Prisma.ProtocolMapperWhereInput => ({
  container: owner.id,
  realmId: realm.id,
  ...(owner.kind === 'client' ? { clientId: owner.id } : { clientScopeId: owner.id }),
});

/** The configuration as it is stored: an empty text counts as missing. */
export const keptConfig = (config: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ''));

/** Rows for inserting mappers of a client or client scope. Each needs its name and protocol. */
export async function newMapperRows(
  tx: Db,
  ctx: Context,
  { realm, owner }: Pick<ScopeOwner, 'realm' | 'owner'>,
  mappers: readonly ProtocolMapperInput[],
): Promise<NewMapper[]> {
  const given = mappers.map(({ id }) => id);
  const ids = await ownIds(tx, given, ctx.services);
  return mappers.map((mapper, at) => {
    const { name, protocol, config } = mapper;
    if (!name) throw invalid('`name` of the protocol mapper is required', 'name');
    if (!protocol) throw invalid(`\`protocol\` of the protocol mapper ${name} is required`, 'protocol');
    return {
      ...newColumns(protocolMapperFields, mapper),
      id: ids[at] as string,
      realmId: realm.id,
      clientId: owner.kind === 'client' ? owner.id : null,
      clientScopeId: owner.kind === 'client-scope' ? owner.id : null,
      container: owner.id,
      name,
      protocol,
      config: keptConfig(config),
    };
  });
}
