import type { RealmInput } from '../representation.js';
import { message } from './message.js';

/** Name of the realm whose administrators may administer every realm. */
export const masterName = 'master';

/** The ID of the master realm is its name. */
export const masterId = 'master';

/** The realm that the server imports at its first start. */
export const masterRealm = {
  id: masterId,
  realm: masterName,
  enabled: true,
  displayName: 'Keycloak',
  displayNameHtml: '<div class="kc-logo-text"><span>Keycloak</span></div>',
  accessTokenLifespan: 60,
  // The reference server confuses the two device settings for this one realm; its answer shows it.
  oauth2DevicePollingInterval: 600,
} satisfies RealmInput;

/** Name of the role of the master realm that gives all rights. */
export const administratorRoleName = 'admin';

/** Realm roles of the master realm only. `admin` includes all others. */
export const masterRoles = [
  { name: administratorRoleName, description: message('role_admin') },
  { name: 'create-realm', description: message('role_create-realm') },
] as const;
