import type { MapperRow } from '../client-scopes/encode.js';
import type { ScopeOwner } from '../client-scopes/locate.js';
import type { ProtocolMapperInput } from '../client-scopes/representation.js';
import type { Context } from '../core/context.js';
import { idOr } from '../core/own-id.js';
import { invalid } from '../core/refusal.js';

export interface NewMapper extends MapperRow {
  clientId: string | null;
  clientScopeId: string | null;
  container: string;
  config: Record<string, string>;
}

/** The configuration as it is kept: an empty text says the same as none. */
export const keptConfig = (config: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ''));

/** Mappers of a client or client scope as they are inserted. Each needs its name and protocol. */
export const newMapperRows = (
  ctx: Context,
  owner: ScopeOwner['owner'],
  mappers: readonly ProtocolMapperInput[],
): NewMapper[] =>
  mappers.map(({ id, name, protocol, protocolMapper, config }) => {
    if (!name) throw invalid('A protocol mapper needs a name', 'name');
    if (!protocol) throw invalid(`The protocol mapper ${name} needs a protocol`, 'protocol');
    return {
      id: idOr(id, ctx.services.newId),
      clientId: owner.kind === 'client' ? owner.id : null,
      clientScopeId: owner.kind === 'client-scope' ? owner.id : null,
      container: owner.id,
      name,
      protocol,
      protocolMapper: protocolMapper ?? null,
      config: keptConfig(config),
    };
  });
