import { accountRoutes } from './account.js';
import { protectionRoutes } from './authorization-protection.js';
import { registrationRoutes } from './dynamic-client-registration.js';
import type { OAuthCallerRoute } from './oauth-caller-routes.js';

/** The whole table of what clients and resource servers ask for below `/auth/realms`. */
export const oauthCallerTable: readonly OAuthCallerRoute[] = [
  ...registrationRoutes,
  ...protectionRoutes,
  ...accountRoutes,
];
