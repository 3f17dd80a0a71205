import { protectionRoutes } from './authorization-protection.js';
import type { ClientRoute } from './client-routes.js';
import { registrationRoutes } from './clients-registrations.js';

/** The whole table of what clients and resource servers ask for below `/auth/realms`. */
export const clientTable: readonly ClientRoute[] = [...registrationRoutes, ...protectionRoutes];
