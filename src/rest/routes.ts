import { roleRoutes } from './roles.js';
import type { Route } from './table.js';

/** The whole table. */
export const routes: readonly Route[] = [...roleRoutes];
