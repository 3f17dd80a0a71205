import { realmRoutes } from './realms.js';
import { roleRoutes } from './roles.js';
import type { Route } from './table.js';

/** The whole table. */
export const routes: readonly Route[] = [...realmRoutes, ...roleRoutes];
