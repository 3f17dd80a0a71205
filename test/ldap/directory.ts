import {
  mapperComponent,
  type PersonParts,
  person,
  type Slapd,
  startSlapd,
  storageComponent,
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

type Config = Record<string, string>;

/** Creates a storage for a directory; answers its id. */
export async function storageFor(admin: Caller, realm: string, url: string, config: Config = {}): Promise<string> {
  const component = storageComponent('directory', url, { connectionTimeout: '2000', readTimeout: '4000', ...config });
  return created(admin, realm, component);
}

async function created(admin: Caller, realm: string, component: object): Promise<string> {
  const { status, headers, body } = await admin.send('POST', `/${realm}/components`, component);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return headers.get('location')?.split('/').at(-1) ?? '';
}

/** Creates a mapper of a storage; answers its id. */
export const mapperFor = (admin: Caller, realm: string, parentId: string, providerId: string, config: Config) =>
  created(admin, realm, mapperComponent(providerId, parentId, providerId, config));

/** Synchronises a storage. */
export const synchronise = (admin: Caller, realm: string, id: string, action = 'triggerFullSync') =>
  admin.send('POST', `/${realm}/user-storage/${id}/sync?action=${action}`);
