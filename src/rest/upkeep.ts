import * as upkeep from '../services/realms/upkeep.js';
import { below } from './place.js';
import { inRealm } from './realm.js';
import { get, post } from './table.js';

const at = (path: string) => below(inRealm, path);

export const upkeepRoutes = [
  get(at('/client-policies/policies'), upkeep.clientPolicies),
  get(at('/client-policies/profiles'), upkeep.clientProfiles),
  get(at('/clients-initial-access'), upkeep.initialAccess),
  get(at('/client-session-stats'), upkeep.clientSessionStats),
  get(at('/credential-registrators'), upkeep.credentialRegistrators),
  post(at('/clear-realm-cache'), upkeep.clearRealmCache),
  post(at('/clear-user-cache'), upkeep.clearUserCache),
  post(at('/clear-keys-cache'), upkeep.clearKeysCache),
  post(at('/logout-all'), upkeep.logoutAll),
  post(at('/push-revocation'), upkeep.pushRevocation),
  post(at('/partialImport'), upkeep.partialImport),
].flat();
