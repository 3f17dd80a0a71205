import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { eventSearch } from './events/search.js';
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

const code = createRoute({
  getParentRoute: () => realm,
  path: '/code',
  staticData: { area: area.code },
  component: lazyRouteComponent(() => import('./code/code.js'), 'Code'),
});

const audit = createRoute({
  getParentRoute: () => realm,
  path: '/audit',
  staticData: { area: area.audit },
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./events/audit.js'), 'Audit'),
});
const logins = createRoute({
  getParentRoute: () => realm,
  path: '/logins',
  staticData: { area: area.logins },
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./events/logins.js'), 'Logins'),
});

const webhooks = createRoute({
  getParentRoute: () => realm,
  path: '/webhooks',
  staticData: { area: area.webhooks },
  component: lazyRouteComponent(() => import('./webhooks/webhooks.js'), 'Webhooks'),
});
const webhook = createRoute({
  getParentRoute: () => realm,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./webhooks/webhook.js'), 'Webhook'),
});

/** All screens. The navigation and the palette are made from those with an area. */
export const router = createRouter({
  routeTree: root.addChildren([
    start,
    realm.addChildren([overview, users, user, code, audit, logins, webhooks, webhook]),
  ]),
  basepath: `/console/${encodeURIComponent(home)}`,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
