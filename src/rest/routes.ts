import { attackDetectionRoutes } from './attack-detection.js';
import { authenticationRoutes } from './authentication.js';
import { clientScopeRoutes } from './client-scopes.js';
import { clientRoutes } from './clients.js';
import { componentRoutes } from './components.js';
import { eventRoutes } from './events.js';
import { groupRoutes } from './groups.js';
import { identityProviderRoutes } from './identity-providers.js';
import { keyRoutes } from './keys.js';
import { localizationRoutes } from './localization.js';
import { permissionRoutes } from './permissions.js';
import { realmRoutes } from './realms.js';
import { roleMappingRoutes } from './role-mappings.js';
import { roleRoutes } from './roles.js';
import { serverInfoRoutes } from './server-info.js';
import { sessionRoutes } from './sessions.js';
import type { Route } from './table.js';
import { upkeepRoutes } from './upkeep.js';
import { userRoutes } from './users.js';
import { whoAmIRoutes } from './whoami.js';

/** The whole table. */
export const routes: readonly Route[] = [
  ...attackDetectionRoutes,
  ...authenticationRoutes,
  ...clientRoutes,
  ...clientScopeRoutes,
  ...componentRoutes,
  ...eventRoutes,
  ...groupRoutes,
  ...identityProviderRoutes,
  ...keyRoutes,
  ...localizationRoutes,
  ...permissionRoutes,
  ...realmRoutes,
  ...roleMappingRoutes,
  ...roleRoutes,
  ...sessionRoutes,
  ...upkeepRoutes,
  ...serverInfoRoutes,
  ...userRoutes,
  ...whoAmIRoutes,
];
