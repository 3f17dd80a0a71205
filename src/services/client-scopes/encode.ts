import type { Prisma } from '../../generated/sqlite/client.js';
import { selectStored, storedEncoder } from '../core/fields.js';
import { view } from '../core/view.js';
import { clientScopeFields, protocolMapperFields } from './fields.js';
import { ClientScopeRepresentation, ProtocolMapperRepresentation } from './representation.js';

export const protocolMapperSelect = {
  ...selectStored(protocolMapperFields),
  config: true,
} as const satisfies Prisma.ProtocolMapperSelect;

export const clientScopeSelect = {
  ...selectStored(clientScopeFields),
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

const encodeStoredMapper = storedEncoder(protocolMapperFields);
const encodeStoredScope = storedEncoder(clientScopeFields);

/** ProtocolMapperRepresentation. */
export const encodeProtocolMapper = (row: MapperRow) =>
  Object.assign(encodeStoredMapper(row), { consentRequired: false, config: row.config as Record<string, string> });

/** ClientScopeRepresentation; scopes without mappers have no such field. */
export const encodeClientScope = (row: FullScope) =>
  Object.assign(encodeStoredScope(row), {
    attributes: row.attributes as Record<string, string>,
    protocolMappers: row.protocolMappers.length > 0 ? row.protocolMappers.map(encodeProtocolMapper) : undefined,
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
