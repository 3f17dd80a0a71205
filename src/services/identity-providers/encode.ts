import type { Prisma } from '../../generated/sqlite/client.js';
import { selectStored, storedEncoder } from '../core/fields.js';
import { openedEntries, type Sealer } from '../core/seal.js';
import { placeOfSecrets } from '../core/sealed-columns.js';
import { view } from '../core/view.js';
import { identityProviderFields } from './fields.js';
import { IdentityProviderMapperRepresentation, IdentityProviderRepresentation } from './representation.js';

export const identityProviderSelect = {
  ...selectStored(identityProviderFields),
  id: true,
  realmId: true,
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

const briefSelect = {
  id: true,
  alias: true,
  displayName: true,
  providerId: true,
  enabled: true,
} as const satisfies Prisma.IdentityProviderSelect;
type BriefIdentityProvider = Prisma.IdentityProviderGetPayload<{ select: typeof briefSelect }>;

export type IdentityProviderRow = Prisma.IdentityProviderGetPayload<{ select: typeof identityProviderSelect }>;
export type MapperRow = Prisma.IdentityProviderMapperGetPayload<{ select: typeof identityProviderMapperSelect }>;

const encodeStored = storedEncoder(identityProviderFields);

/** IdentityProviderRepresentation. Its secrets are masked unless the caller passes the function that opens them. */
export const encodeIdentityProvider = (row: IdentityProviderRow, open?: Sealer['open']) =>
  Object.assign(encodeStored(row), {
    internalId: row.id,
    updateProfileFirstLoginMode: row.updateProfileFirstLoginMode ?? 'on',
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

const isHidden = ({ config }: Pick<IdentityProviderRow, 'config'>): boolean =>
  (config as Record<string, string>).hideOnLoginPage === 'true';

export const identityProviderView = view<IdentityProviderRow>(
  IdentityProviderRepresentation,
  identityProviderSelect,
  // a client of version 15 cannot send the field and does not get it unless the provider is hidden
  (row) => ({ ...encodeIdentityProvider(row), ...(isHidden(row) && { hideOnLogin: true }) }),
);
/** The brief form of versions after 15. */
export const briefIdentityProviderView = view<BriefIdentityProvider>(
  IdentityProviderRepresentation,
  briefSelect,
  ({ id, alias, displayName, providerId, enabled }) => ({
    alias,
    ...(displayName !== null && { displayName }),
    internalId: id,
    providerId,
    enabled,
    config: {},
  }),
);
export const identityProviderMapperView = view<MapperRow>(
  IdentityProviderMapperRepresentation,
  identityProviderMapperSelect,
  encodeIdentityProviderMapper,
);
