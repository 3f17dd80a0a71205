/** The configuration of a component: lists of texts by name. */
export type Config = Record<string, string[]>;

/** Provider type of the mappers of a user storage. */
export const storageMapper = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';

/** The first value of a setting that is not empty. */
export const one = (config: Config, name: string): string | undefined => config[name]?.[0]?.trim() || undefined;

/** A switch among the settings. */
export function flagOf(config: Config, name: string, standard = false): boolean {
  const value = one(config, name);
  return value === undefined ? standard : value.toLowerCase() === 'true';
}

/** A number in the settings; the default if the value is not a number. */
export function numberOf(config: Config, name: string, standard: number): number {
  const value = Number(one(config, name) ?? Number.NaN);
  return Number.isFinite(value) ? value : standard;
}

/** The values of a comma-separated setting. */
export const listOf = (config: Config, name: string): string[] =>
  (config[name] ?? [])
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');

export const editModes = ['READ_ONLY', 'WRITABLE', 'UNSYNCED'] as const;
/** The permitted changes of the users of a storage: none, all in the directory, or only in this service. */
export type EditMode = (typeof editModes)[number];

/** The edit mode of a storage. If it is missing, nothing is written to the directory. */
export const editModeOf = (config: Config): EditMode =>
  editModes.find((mode) => mode === one(config, 'editMode')) ?? 'READ_ONLY';

/** The path of the group that a mapper adds all users to; the first slash may be left out. */
export function pathOfGroup(config: Config): string {
  const path = one(config, 'group') ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}

/** The path below which a mapper of groups has its groups: '' for the top level. */
export const rootOf = ({ config }: { config: Config }): string =>
  (one(config, 'groups.path') ?? '/').replace(/(?<!\/)\/+$/, '');

/** The clientId of the client whose roles a mapper of roles manages; undefined for the roles of the realm. */
export const clientIdOf = (config: Config): string | undefined =>
  flagOf(config, 'use.realm.roles.mapping', true) ? undefined : one(config, 'client.id');
