import type { Prisma } from '../../generated/sqlite/client.js';
import { view } from '../core/view.js';
import { ClientScopeRepresentation, ProtocolMapperRepresentation } from './representation.js';

export const protocolMapperSelect = {
  id: true,
  name: true,
  protocol: true,
  protocolMapper: true,
  config: true,
} as const satisfies Prisma.ProtocolMapperSelect;

export const clientScopeSelect = {
  id: true,
  name: true,
  description: true,
  protocol: true,
  attributes: true,
  version: true,
  protocolMappers: { select: protocolMapperSelect, orderBy: [{ name: 'asc' }, { id: 'asc' }] },
} as const satisfies Prisma.ClientScopeSelect;

/** What the lists of client scopes of a realm read. */
const assignedScopeSelect = { id: true, name: true, protocol: true } as const satisfies Prisma.ClientScopeSelect;
/** What the lists of client scopes of a client read. */
const namedScopeSelect = { id: true, name: true } as const satisfies Prisma.ClientScopeSelect;

export type MapperRow = Prisma.ProtocolMapperGetPayload<{ select: typeof protocolMapperSelect }>;
export type FullScope = Prisma.ClientScopeGetPayload<{ select: typeof clientScopeSelect }>;
type AssignedRow = Prisma.ClientScopeGetPayload<{ select: typeof assignedScopeSelect }>;
type NamedRow = Prisma.ClientScopeGetPayload<{ select: typeof namedScopeSelect }>;

/** ProtocolMapperRepresentation. */
export const encodeProtocolMapper = (row: MapperRow) => ({
  id: row.id,
  name: row.name,
  ...(row.protocol !== null && { protocol: row.protocol }),
  ...(row.protocolMapper !== null && { protocolMapper: row.protocolMapper }),
  consentRequired: false,
  config: row.config as Record<string, string>,
});

/** ClientScopeRepresentation; scopes without mappers have no such field. */
export const encodeClientScope = (row: FullScope) => ({
  id: row.id,
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  ...(row.protocol !== null && { protocol: row.protocol }),
  attributes: row.attributes as Record<string, string>,
  ...(row.protocolMappers.length > 0 && { protocolMappers: row.protocolMappers.map(encodeProtocolMapper) }),
});

/** An entry of the realm's lists of default and optional client scopes. */
const encodeAssignedScope = ({ id, name, protocol }: AssignedRow) => ({
  id,
  name,
  ...(protocol !== null && { protocol }),
});
/** An entry of a client's lists of default and optional client scopes. */
const encodeNamedScope = ({ id, name }: NamedRow) => ({ id, name });

export const protocolMapperView = view<MapperRow>(
  ProtocolMapperRepresentation,
  protocolMapperSelect,
  encodeProtocolMapper,
);
export const clientScopeView = view<FullScope>(ClientScopeRepresentation, clientScopeSelect, encodeClientScope);
export const assignedScopeView = view<AssignedRow>(ClientScopeRepresentation, assignedScopeSelect, encodeAssignedScope);
export const namedScopeView = view<NamedRow>(ClientScopeRepresentation, namedScopeSelect, encodeNamedScope);
