import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { clientListSearch } from './clients/search.js';
import { tabSearch } from './parts/tab-search.js';
import { home } from './session/sign-in.js';
import { type Area, area } from './shell/areas.js';
import { Shell } from './shell/shell.js';
import { userListSearch } from './users/search.js';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  /** What the navigation and the palette show of a route; a route without it is reached from other screens. */
  interface StaticDataRouteOption {
    area?: Area;
  }
}

const root = createRootRoute({ component: Outlet });
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$realm', params: { realm: home } });
  },
});
const realm = createRoute({ getParentRoute: () => root, path: '/$realm', component: Shell });

const overview = createRoute({
  getParentRoute: () => realm,
  path: '/',
  staticData: { area: area.overview },
  component: lazyRouteComponent(() => import('./overview/overview.js'), 'Overview'),
});
const users = createRoute({
  getParentRoute: () => realm,
  path: '/users',
  staticData: { area: area.users },
  validateSearch: userListSearch,
  component: lazyRouteComponent(() => import('./users/users.js'), 'Users'),
});
const user = createRoute({
  getParentRoute: () => realm,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./users/user.js'), 'User'),
});
const clients = createRoute({
  getParentRoute: () => realm,
  path: '/clients',
  staticData: { area: area.clients },
  validateSearch: clientListSearch,
  component: lazyRouteComponent(() => import('./clients/clients.js'), 'Clients'),
});
const client = createRoute({
  getParentRoute: () => realm,
  path: '/clients/$id',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./clients/client.js'), 'Client'),
});
const scopes = createRoute({
  getParentRoute: () => realm,
  path: '/client-scopes',
  staticData: { area: area.clientScopes },
  validateSearch: clientListSearch,
  component: lazyRouteComponent(() => import('./clients/scopes.js'), 'Scopes'),
});
const scope = createRoute({
  getParentRoute: () => realm,
  path: '/client-scopes/$id',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./clients/scope.js'), 'Scope'),
});
const authentication = createRoute({
  getParentRoute: () => realm,
  path: '/authentication',
  staticData: { area: area.authentication },
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./authentication/authentication.js'), 'Authentication'),
});

/** All screens. The navigation and the palette are made from those with an area. */
export const router = createRouter({
  routeTree: root.addChildren([
    start,
    realm.addChildren([overview, users, user, clients, client, scopes, scope, authentication]),
  ]),
  basepath: `/console/${encodeURIComponent(home)}`,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
