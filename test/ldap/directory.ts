import {
  type PersonParts,
  person,
  rootDn,
  rootPassword,
  type Slapd,
  startSlapd,
  suffix,
  top,
} from '../../tools/slapd.mjs';
import { atEndOfFile } from '../support/database.js';
import type { Caller } from '../support/fixture.js';

export { group, groupDn, hasSlapd, person, personDn, rootDn, rootPassword, suffix } from '../../tools/slapd.mjs';

/** Starts a directory that ends with the test file. */
export async function directoryWith(
  ldif: readonly string[],
  tls?: { key: string; cert: string },
  schema?: string,
): Promise<Slapd> {
  const slapd = await startSlapd([top, ...ldif].join('\n'), { ...(tls && { tls }), ...(schema && { schema }) });
  atEndOfFile(() => slapd.stop());
  return slapd;
}

/** So many people, `user0` and on. */
export const manyPeople = (count: number, parts: PersonParts = {}): string[] =>
  Array.from({ length: count }, (_, at) => person(`user${at}`, { firstName: `First${at}`, ...parts }));

const storageType = 'org.keycloak.storage.UserStorageProvider';
const mapperType = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';

type Config = Record<string, string>;
const listed = (config: Config) => Object.fromEntries(Object.entries(config).map(([name, value]) => [name, [value]]));

/** Creates a storage for a directory; answers its id. */
export async function storageFor(admin: Caller, realm: string, url: string, config: Config = {}): Promise<string> {
  const { status, headers, body } = await admin.send('POST', `/${realm}/components`, {
    name: 'directory',
    providerId: 'ldap',
    providerType: storageType,
    config: listed({
      vendor: 'other',
      connectionUrl: url,
      connectionTimeout: '2000',
      readTimeout: '4000',
      authType: 'simple',
      bindDn: rootDn,
      bindCredential: rootPassword,
      usersDn: `ou=people,${suffix}`,
      usernameLDAPAttribute: 'uid',
      rdnLDAPAttribute: 'uid',
      uuidLDAPAttribute: 'entryUUID',
      userObjectClasses: 'inetOrgPerson',
      editMode: 'READ_ONLY',
      ...config,
    }),
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return headers.get('location')?.split('/').at(-1) ?? '';
}

/** Creates a mapper of a storage; answers its id. */
export async function mapperFor(
  admin: Caller,
  realm: string,
  parentId: string,
  providerId: string,
  config: Config,
): Promise<string> {
  const component = { name: providerId, providerId, providerType: mapperType, parentId, config: listed(config) };
  const { status, headers, body } = await admin.send('POST', `/${realm}/components`, component);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return headers.get('location')?.split('/').at(-1) ?? '';
}

/** Synchronises a storage. */
export const synchronise = (admin: Caller, realm: string, id: string, action = 'triggerFullSync') =>
  admin.send('POST', `/${realm}/user-storage/${id}/sync?action=${action}`);
