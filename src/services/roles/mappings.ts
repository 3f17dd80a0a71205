import type { Prisma } from '../../generated/sqlite/client.js';
import { list, record, representation, text } from '../core/shape.js';
import { encodeBriefRole, RoleRepresentation } from './representation.js';
import { brief } from './store.js';

/** What MappingsRepresentation reads of each role. */
export const mappedRole = {
  ...brief,
  client: { select: { id: true, clientId: true } },
} as const satisfies Prisma.RoleSelect;

export type MappedRole = Prisma.RoleGetPayload<{ select: typeof mappedRole }>;

const ClientMappingsRepresentation = representation('ClientMappingsRepresentation', {
  id: text,
  client: text,
  mappings: list(RoleRepresentation),
});

/** MappingsRepresentation of the contract: roles of somebody, those of clients under their client. */
export const MappingsRepresentation = representation('MappingsRepresentation', {
  realmMappings: list(RoleRepresentation),
  clientMappings: record(ClientMappingsRepresentation),
});

interface ClientMappings {
  id: string;
  client: string;
  mappings: ReturnType<typeof encodeBriefRole>[];
}

/** Roles as MappingsRepresentation; a part without roles is left out. */
export function encodeMappings(roles: readonly MappedRole[]) {
  const realmMappings: ReturnType<typeof encodeBriefRole>[] = [];
  // without a prototype, since that has names of its own such as "constructor"
  const clientMappings: Record<string, ClientMappings> = Object.create(null);
  for (const role of roles) {
    const { client } = role;
    if (!client) {
      realmMappings.push(encodeBriefRole(role));
      continue;
    }
    clientMappings[client.clientId] ??= { id: client.id, client: client.clientId, mappings: [] };
    clientMappings[client.clientId]?.mappings.push(encodeBriefRole(role));
  }
  return {
    ...(realmMappings.length > 0 && { realmMappings }),
    ...(Object.keys(clientMappings).length > 0 && { clientMappings }),
  };
}
