import type { Db } from '../../database/db.js';
import type { Services } from '../core/context.js';
import { members } from '../core/json.js';
import { openedEntries } from '../core/seal.js';
import { placeOfSecrets } from '../core/sealed-columns.js';
import {
  type IdentityProviderRow,
  identityProviderMapperSelect,
  identityProviderSelect,
  type MapperRow,
} from '../identity-providers/encode.js';
import { providerNames } from '../identity-providers/settings.js';
import { kindOf, type ProviderKind } from './kinds.js';

type Settings = Readonly<Record<string, string>>;

/** An identity provider with which users can log in. */
export interface BrokerProvider
  extends Pick<
    IdentityProviderRow,
    | 'id'
    | 'realmId'
    | 'alias'
    | 'providerId'
    | 'enabled'
    | 'storeToken'
    | 'trustEmail'
    | 'linkOnly'
    | 'addReadTokenRoleOnCreate'
    | 'firstBrokerLoginFlowAlias'
    | 'postBrokerLoginFlowAlias'
  > {
  kind: ProviderKind;
  /** name of the provider on pages */
  label: string;
  /** the configuration with its secrets */
  settings: Settings;
}

/** Name of an identity provider on pages. */
export const labelOf = ({
  displayName,
  alias,
  providerId,
}: Pick<IdentityProviderRow, 'displayName' | 'alias' | 'providerId'>) =>
  displayName || (alias === providerId ? (providerNames.get(providerId) ?? alias) : alias);

/** The identity provider with this alias; undefined if there is none with which users can log in. */
export async function findBrokerProvider(
  { database, sealer }: Pick<Services, 'database' | 'sealer'>,
  realmId: string,
  alias: string,
): Promise<BrokerProvider | undefined> {
  const row = await database.read.identityProvider.findFirst({
    where: { realmId, alias },
    select: identityProviderSelect,
  });
  return row ? openedProvider(sealer, row) : undefined;
}

/** The enabled identity providers at which a realm has one of these client IDs, in one statement. */
export async function providersOfClients(
  { database, sealer }: Pick<Services, 'database' | 'sealer'>,
  realmId: string,
  clientIds: readonly string[],
): Promise<BrokerProvider[]> {
  const rows = await database.read.identityProvider.findMany({
    where: { realmId, enabled: true },
    orderBy: { position: 'asc' },
    select: identityProviderSelect,
  });
  const known = new Set(clientIds);
  return rows
    .filter(({ config }) => known.has(String(members(config).clientId)))
    .flatMap((row) => openedProvider(sealer, row) ?? []);
}

function openedProvider(sealer: Services['sealer'], row: IdentityProviderRow): BrokerProvider | undefined {
  const secrets = openedEntries<string>(row.secrets, placeOfSecrets('IdentityProvider', row), sealer);
  const settings = { ...(members(row.config) as Record<string, string>), ...secrets };
  const kind = kindOf(row.providerId, settings);
  return kind && { ...row, kind, label: labelOf(row), settings };
}

/** An identity provider as the login page offers it. */
export interface OfferedProvider {
  alias: string;
  label: string;
}

/** The identity providers that the login page of a realm offers, in the order of `guiOrder`. */
export async function offeredProviders(db: Db, realmId: string): Promise<OfferedProvider[]> {
  const rows = await db.identityProvider.findMany({
    where: { realmId, enabled: true, linkOnly: false },
    orderBy: { position: 'asc' },
    select: { alias: true, displayName: true, providerId: true, config: true },
  });
  const orderOf = (config: unknown) => Number.parseInt(String(members(config).guiOrder), 10) || Number.MAX_SAFE_INTEGER;
  return rows
    .filter(({ providerId, config }) => kindOf(providerId, {}) && members(config).hideOnLoginPage !== 'true')
    .sort((one, other) => orderOf(one.config) - orderOf(other.config))
    .map((row) => ({ alias: row.alias, label: labelOf(row) }));
}

/** The mappers of an identity provider. */
export const mappersOf = (
  db: Db,
  { realmId, alias }: Pick<BrokerProvider, 'realmId' | 'alias'>,
): Promise<MapperRow[]> =>
  db.identityProviderMapper.findMany({
    where: { realmId, identityProviderAlias: alias },
    orderBy: { name: 'asc' },
    select: identityProviderMapperSelect,
  });
