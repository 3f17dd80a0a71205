import { defaultRoleName } from '../../services/realms/defaults/roles.js';
import { listOf, mapOf } from '../../services/realms/desired/kinds.js';
import { objectName } from '../../services/realms/desired/objects.js';
import { renamedAddresses } from '../../services/realms/rename.js';
import { settingsWord } from './words.js';

/** Replaces a text with another one wherever it is a whole value. */
function replaceText(value: object, from: string, to: string): void {
  for (const [key, item] of Object.entries(value)) {
    if (item === from) Reflect.set(value, key, to);
    else if (typeof item === 'object' && item !== null) replaceText(item, from, to);
  }
}

/**
 * Changes a realm from files, in place, so that it describes another realm with this name. Its default role and the
 * URLs of its built-in clients get the names of that realm.
 */
export function describeAnother(realm: Record<string, unknown>, to: string): void {
  const { realm: from } = realm;
  if (typeof from !== 'string' || from === to) return;
  realm['realm'] = to;
  const rules = mapOf(mapOf(realm, settingsWord), 'lifecycle');
  const ofRealm = (name: string) => objectName({ kind: 'REALM', key: name });
  if (Object.hasOwn(rules, ofRealm(from))) {
    rules[ofRealm(to)] = rules[ofRealm(from)];
    delete rules[ofRealm(from)];
  }
  replaceText(realm, defaultRoleName(from), defaultRoleName(to));
  for (const client of listOf(realm, 'clients')) {
    const { clientId, baseUrl, redirectUris } = client;
    const renamed = (address: unknown): unknown =>
      typeof address === 'string'
        ? renamedAddresses({ clientId: String(clientId), baseUrl: address, redirectUris: [] }, from, to).baseUrl
        : address;
    if (baseUrl !== undefined) client['baseUrl'] = renamed(baseUrl);
    if (Array.isArray(redirectUris)) Object.assign(redirectUris, redirectUris.map(renamed));
  }
}
