import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { members } from './json.js';
import { found, invalid } from './refusal.js';

/** Provider type of the components that users can be linked to. */
export const userStorage = 'org.keycloak.storage.UserStorageProvider';

/** The data of a realm that operations read: its row, its user storages, and the names of its identity providers. */
export const realmSelect = {
  id: true,
  name: true,
  enabled: true,
  displayName: true,
  settings: true,
  attributes: true,
  smtpPassword: true,
  defaultRoleId: true,
  adminClientId: true,
  managed: true,
  version: true,
  components: { where: { providerType: userStorage }, select: { id: true, config: true } },
  identityProviders: { select: { alias: true } },
  // the client that holds management permissions, after any was enabled
  clients: {
    where: { clientId: { in: ['realm-management', 'master-realm'] }, authorizationServicesEnabled: true },
    select: { id: true, clientId: true },
  },
} as const satisfies Prisma.RealmSelect;

/** A realm as operations see it: the row, with its settings by their names on the wire. */
export type RealmRecord = Omit<Prisma.RealmGetPayload<{ select: typeof realmSelect }>, 'settings' | 'attributes'> & {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, string>>;
};

/** Whether a switch among the realm's settings is on. */
export const isOn = (realm: Pick<RealmRecord, 'settings'>, setting: string): boolean =>
  realm.settings[setting] === true;

/** A target with its realm in its current state: its settings are one column, which is written as a whole. */
export async function refreshRealm<T extends { realm: RealmRecord }>(tx: Db, target: T): Promise<T> {
  const row = await tx.realm.findUnique({ where: { id: target.realm.id }, select: realmSelect });
  return { ...target, realm: found(row as RealmRecord | null, 'Realm not found.') };
}

/** The client whose authorization services decide, if any management permissions were enabled. */
export const decidingServer = ({
  name,
  adminClientId,
  clients,
}: Pick<RealmRecord, 'name' | 'adminClientId' | 'clients'>): { id: string } | undefined =>
  clients.find(({ id, clientId }) => (name === 'master' ? id === adminClientId : clientId === 'realm-management'));

/** The address in the attribute `frontendUrl`, without a slash at the end. Undefined if it is none. */
function frontendAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, search, hash, username } = new URL(text);
  const isAddress = /^https?:$/.test(protocol) && search === '' && hash === '' && username === '';
  return isAddress ? origin + pathname.replace(/\/+$/, '') : undefined;
}

/** Refuses an attribute `frontendUrl` that is no address. An empty one says the same as none. */
export function checkFrontendUrl({ frontendUrl = '' }: Readonly<Record<string, string>> = {}): void {
  if (frontendUrl !== '' && frontendAddress(frontendUrl) === undefined)
    throw invalid(
      '`frontendUrl` must be an HTTP or HTTPS address without credentials, query, and fragment',
      'attributes.frontendUrl',
    );
}

/**
 * The address of the service for a realm: the attribute `frontendUrl`, or else the address of the request. Scheme,
 * host, and base path, without a slash at the end. An invalid attribute is ignored.
 */
export function addressForRealm({ baseUrl }: { baseUrl: string }, { attributes }: { attributes: unknown }): string {
  const own = members(attributes).frontendUrl;
  return (typeof own === 'string' ? frontendAddress(own) : undefined) ?? baseUrl;
}
