import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { clientListSearch } from './clients/search.js';
import { eventSearch } from './events/search.js';
import { groupSearch } from './groups/search.js';
import { textSearch } from './parts/search.js';
import { tabSearch } from './parts/tab-search.js';
import { settingsSearch } from './realm/search.js';
import { roleSearch } from './roles/search.js';
import { home } from './session/sign-in.js';
import { sessionSearch } from './sessions/search.js';
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
  validateSearch: tabSearch,
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

const identityProviders = createRoute({
  getParentRoute: () => realm,
  path: '/identity-providers',
  staticData: { area: area.identityProviders },
  validateSearch: textSearch,
  component: lazyRouteComponent(() => import('./identity-providers/providers.js'), 'Providers'),
});
const identityProvider = createRoute({
  getParentRoute: () => realm,
  path: '/identity-providers/$id',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./identity-providers/provider.js'), 'Provider'),
});
const directories = createRoute({
  getParentRoute: () => realm,
  path: '/directories',
  staticData: { area: area.directories },
  component: lazyRouteComponent(() => import('./directories/directories.js'), 'Directories'),
});
const directory = createRoute({
  getParentRoute: () => realm,
  path: '/directories/$id',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./directories/directory.js'), 'Directory'),
});
const sessions = createRoute({
  getParentRoute: () => realm,
  path: '/sessions',
  staticData: { area: area.sessions },
  validateSearch: sessionSearch,
  component: lazyRouteComponent(() => import('./sessions/sessions.js'), 'Sessions'),
});

const groups = createRoute({
  getParentRoute: () => realm,
  path: '/groups',
  staticData: { area: area.groups },
  validateSearch: groupSearch,
  component: lazyRouteComponent(() => import('./groups/groups.js'), 'Groups'),
});
const group = createRoute({
  getParentRoute: () => realm,
  path: '/groups/$id',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./groups/group.js'), 'Group'),
});
const roles = createRoute({
  getParentRoute: () => realm,
  path: '/roles',
  staticData: { area: area.roles },
  validateSearch: roleSearch,
  component: lazyRouteComponent(() => import('./roles/roles.js'), 'Roles'),
});
const role = createRoute({
  getParentRoute: () => realm,
  path: '/roles/$id',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./roles/role.js'), 'Role'),
});
const settings = createRoute({
  getParentRoute: () => realm,
  path: '/settings',
  staticData: { area: area.settings },
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('./realm/settings.js'), 'Settings'),
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
    realm.addChildren([
      overview,
      settings,
      users,
      user,
      groups,
      group,
      roles,
      role,
      directories,
      directory,
      sessions,
      clients,
      client,
      scopes,
      scope,
      authentication,
      identityProviders,
      identityProvider,
      code,
      audit,
      logins,
      webhooks,
      webhook,
    ]),
  ]),
  basepath: `/console/${encodeURIComponent(home)}`,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
