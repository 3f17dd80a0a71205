import type { Prisma } from '../../generated/sqlite/client.js';
import { openedEntries, type Sealer } from '../core/seal.js';
import { placeOfSecrets } from '../core/sealed-columns.js';
import { view } from '../core/view.js';
import { IdentityProviderMapperRepresentation, IdentityProviderRepresentation } from './representation.js';

export const identityProviderSelect = {
  id: true,
  realmId: true,
  alias: true,
  displayName: true,
  providerId: true,
  enabled: true,
  storeToken: true,
  trustEmail: true,
  linkOnly: true,
  addReadTokenRoleOnCreate: true,
  authenticateByDefault: true,
  updateProfileFirstLoginMode: true,
  firstBrokerLoginFlowAlias: true,
  postBrokerLoginFlowAlias: true,
  config: true,
  secrets: true,
  version: true,
} as const satisfies Prisma.IdentityProviderSelect;

export const identityProviderMapperSelect = {
  id: true,
  name: true,
  identityProviderAlias: true,
  identityProviderMapper: true,
  config: true,
  version: true,
} as const satisfies Prisma.IdentityProviderMapperSelect;

export type IdentityProviderRow = Prisma.IdentityProviderGetPayload<{ select: typeof identityProviderSelect }>;
export type MapperRow = Prisma.IdentityProviderMapperGetPayload<{ select: typeof identityProviderMapperSelect }>;

/** IdentityProviderRepresentation. Its secrets are masked unless the caller passes what opens them. */
export const encodeIdentityProvider = (row: IdentityProviderRow, open?: Sealer['open']) => ({
  alias: row.alias,
  ...(row.displayName !== null && { displayName: row.displayName }),
  internalId: row.id,
  providerId: row.providerId,
  enabled: row.enabled,
  updateProfileFirstLoginMode: row.updateProfileFirstLoginMode ?? 'on',
  trustEmail: row.trustEmail,
  storeToken: row.storeToken,
  addReadTokenRoleOnCreate: row.addReadTokenRoleOnCreate,
  authenticateByDefault: row.authenticateByDefault,
  linkOnly: row.linkOnly,
  ...(row.firstBrokerLoginFlowAlias !== null && { firstBrokerLoginFlowAlias: row.firstBrokerLoginFlowAlias }),
  ...(row.postBrokerLoginFlowAlias !== null && { postBrokerLoginFlowAlias: row.postBrokerLoginFlowAlias }),
  config: {
    ...(row.config as Record<string, string>),
    ...(open && openedEntries<string>(row.secrets, placeOfSecrets('IdentityProvider', row), { open })),
  },
});

/** IdentityProviderMapperRepresentation. */
export const encodeIdentityProviderMapper = (row: MapperRow) => ({
  id: row.id,
  name: row.name,
  identityProviderAlias: row.identityProviderAlias,
  identityProviderMapper: row.identityProviderMapper,
  config: row.config as Record<string, string>,
});

export const identityProviderView = view<IdentityProviderRow>(
  IdentityProviderRepresentation,
  identityProviderSelect,
  (row) => encodeIdentityProvider(row),
);
export const identityProviderMapperView = view<MapperRow>(
  IdentityProviderMapperRepresentation,
  identityProviderMapperSelect,
  encodeIdentityProviderMapper,
);
