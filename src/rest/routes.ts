import { attackDetectionRoutes } from './attack-detection.js';
import { authenticationRoutes } from './authentication.js';
import { authorizationRoutes } from './authorization.js';
import { clientCertificateRoutes } from './client-certificates.js';
import { clientPolicyRoutes } from './client-policies.js';
import { clientRegistrationRoutes } from './client-registration.js';
import { clientScopeRoutes } from './client-scopes.js';
import { oauthCallerRoutes } from './clients.js';
import { componentRoutes } from './components.js';
import { evaluateScopesRoutes } from './evaluate-scopes.js';
import { eventRoutes } from './events.js';
import { groupRoutes } from './groups.js';
import { identityProviderRoutes } from './identity-providers.js';
import { installationRoutes } from './installation.js';
import { keyRoutes } from './keys.js';
import { localizationRoutes } from './localization.js';
import { permissionRoutes } from './permissions.js';
import { protocolMapperRoutes } from './protocol-mappers.js';
import { realmApplyRoutes } from './realm-applies.js';
import { realmRoutes } from './realms.js';
import { roleMappingRoutes } from './role-mappings.js';
import { roleRoutes } from './roles.js';
import { scopeMappingRoutes } from './scope-mappings.js';
import { serverInfoRoutes } from './server-info.js';
import { sessionRoutes } from './sessions.js';
import type { Route } from './table.js';
import { upkeepRoutes } from './upkeep.js';
import { userStorageRoutes } from './user-storage.js';
import { userRoutes } from './users.js';
import { whoAmIRoutes } from './whoami.js';

/** The whole table. */
export const routes: readonly Route[] = [
  ...attackDetectionRoutes,
  ...authenticationRoutes,
  ...authorizationRoutes,
  ...clientCertificateRoutes,
  ...clientPolicyRoutes,
  ...clientRegistrationRoutes,
  ...oauthCallerRoutes,
  ...clientScopeRoutes,
  ...componentRoutes,
  ...evaluateScopesRoutes,
  ...eventRoutes,
  ...groupRoutes,
  ...identityProviderRoutes,
  ...installationRoutes,
  ...keyRoutes,
  ...localizationRoutes,
  ...permissionRoutes,
  ...protocolMapperRoutes,
  ...realmApplyRoutes,
  ...realmRoutes,
  ...roleMappingRoutes,
  ...roleRoutes,
  ...scopeMappingRoutes,
  ...sessionRoutes,
  ...upkeepRoutes,
  ...serverInfoRoutes,
  ...userRoutes,
  ...userStorageRoutes,
  ...whoAmIRoutes,
];
