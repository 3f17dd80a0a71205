import type { Prisma } from '../../generated/sqlite/client.js';
import type { Services } from '../core/context.js';
import { userStorage } from '../core/realm.js';
import { openedEntries } from '../core/seal.js';
import { placeOfSecrets } from '../core/sealed-columns.js';
import type { UnitServices } from '../core/unit-of-work.js';
import { type Directory, directoryOf } from '../ldap/directory.js';
import { type People, peopleOf } from '../ldap/people.js';
import { type Config, type EditMode, editModeOf, flagOf, numberOf, storageMapper } from './config.js';

/** The services that storages need. */
export type StorageServices = Pick<Services, 'database' | 'sealer'> & UnitServices;
/** The services that a synchronisation needs. */
export type SyncServices = StorageServices & Pick<Services, 'stopping' | 'log'>;

/** A mapper between the entries of a directory and users. */
export interface Mapper {
  id: string;
  name: string;
  providerId: string;
  config: Config;
  /** see `grantableBy` */
  grantable: ReadonlySet<string>;
}

/** A user storage with its secrets, ready for searches. */
export interface Storage {
  id: string;
  realmId: string;
  name: string | null;
  config: Config;
  mode: EditMode;
  enabled: boolean;
  /** whether its users are imported; otherwise the stored data of a user has an ID that contains the storage */
  imports: boolean;
  priority: number;
  directory: Directory;
  people: People;
  mappers: readonly Mapper[];
}

interface Row {
  id: string;
  realmId: string;
  parentId: string;
  providerId: string;
  providerType: string;
  name: string | null;
  config: unknown;
  secrets: string | null;
  grantable: unknown;
}

/** The LDAP storages of a realm, or the one with this ID, in the order of searches: one statement. */
export async function storagesOf(
  { database, sealer }: Pick<StorageServices, 'database' | 'sealer'>,
  realmId: string,
  id?: string,
): Promise<Storage[]> {
  const here: Prisma.ComponentWhereInput = id === undefined ? {} : { OR: [{ id }, { parentId: id }] };
  const rows: Row[] = await database.read.component.findMany({
    where: { realmId, providerType: { in: [userStorage, storageMapper] }, ...here },
    select: {
      id: true,
      realmId: true,
      parentId: true,
      providerId: true,
      providerType: true,
      name: true,
      config: true,
      secrets: true,
      grantable: true,
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  const mappers = rows.filter(({ providerType }) => providerType === storageMapper);
  return rows
    .filter(({ providerType, providerId }) => providerType === userStorage && providerId === 'ldap')
    .map((row) => {
      const secrets = openedEntries<string[]>(row.secrets, placeOfSecrets('Component', row), sealer);
      return storageFrom(
        row,
        { ...(row.config as Config), ...secrets },
        mappers.filter(({ parentId }) => parentId === row.id),
      );
    })
    .sort((one, other) => one.priority - other.priority);
}

const storageFrom = ({ id, realmId, name }: Row, config: Config, mappers: readonly Row[]): Storage => ({
  id,
  realmId,
  name,
  config,
  mode: editModeOf(config),
  enabled: flagOf(config, 'enabled', true),
  imports: flagOf(config, 'importEnabled', true),
  priority: numberOf(config, 'priority', 0),
  directory: directoryOf(config),
  people: peopleOf(config),
  mappers: mappers.map((mapper) => ({
    id: mapper.id,
    name: mapper.name ?? '',
    providerId: mapper.providerId,
    config: mapper.config as Config,
    grantable: new Set(Array.isArray(mapper.grantable) ? (mapper.grantable as string[]) : []),
  })),
});

/** The storages of a realm that are searched for users, each with the storages before it: one statement. */
export async function searchedStorages(
  services: Pick<StorageServices, 'database' | 'sealer'>,
  realmId: string,
): Promise<{ storage: Storage; before: readonly Storage[] }[]> {
  const storages = searchableStorages(await storagesOf(services, realmId));
  return storages.map((storage, at) => ({ storage, before: storages.slice(0, at) }));
}

/** The storages that are searched for users. */
export const searchableStorages = (storages: readonly Storage[]): Storage[] =>
  storages.filter(({ enabled, directory }) => enabled && directory.urls.length > 0);
