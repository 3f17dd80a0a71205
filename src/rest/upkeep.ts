import { texts } from '../services/core/shape.js';
import { partialExport } from '../services/realms/export.js';
import { ClientPoliciesRepresentation, ClientProfilesRepresentation } from '../services/realms/nested.js';
import { RealmRepresentation } from '../services/realms/representation.js';
import * as upkeep from '../services/realms/upkeep.js';
import { below } from './place.js';
import { inRealm } from './realm.js';
import { flagParameter } from './request.js';
import { get, post, postToRead } from './table.js';

const at = (path: string) => below(inRealm, path);

export const upkeepRoutes = [
  get(at('/client-policies/policies'), upkeep.clientPolicies, { returns: ClientPoliciesRepresentation }),
  get(at('/client-policies/profiles'), upkeep.clientProfiles, { returns: ClientProfilesRepresentation }),
  get(at('/clients-initial-access'), upkeep.initialAccess),
  get(at('/client-session-stats'), upkeep.clientSessionStats),
  get(at('/credential-registrators'), upkeep.credentialRegistrators, { returns: texts }),
  post(at('/clear-realm-cache'), upkeep.clearRealmCache),
  post(at('/clear-user-cache'), upkeep.clearUserCache),
  post(at('/clear-keys-cache'), upkeep.clearKeysCache),
  postToRead(at('/partial-export'), partialExport, {
    returns: RealmRepresentation,
    query: ['exportClients', 'exportGroupsAndRoles'],
    input: ({ query }) => ({
      clients: flagParameter(query, 'exportClients'),
      groupsAndRoles: flagParameter(query, 'exportGroupsAndRoles'),
    }),
  }),
  post(at('/logout-all'), upkeep.logoutAll),
  post(at('/push-revocation'), upkeep.pushRevocation),
  post(at('/partialImport'), upkeep.partialImport),
].flat();
