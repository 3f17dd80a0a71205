import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { address, flag, moment, text } from './parts/address.js';
import { loadModule } from './session/modules.js';
import { base, home } from './session/sign-in.js';
import { type Area, area } from './shell/areas.js';
import { Shell } from './shell/shell.js';

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

/** A screen of a realm, which is loaded when it is opened: what its address has, and its entry in the navigation. */
const screen = <const Path extends string, Name extends string, Search extends object>(
  path: Path,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  search: (given: Record<string, unknown>) => Search,
  entry?: Area,
) =>
  createRoute({
    getParentRoute: () => realm,
    path,
    component: lazyRouteComponent(() => loadModule(load), name),
    validateSearch: search,
    staticData: entry ? { area: entry } : {},
  });

/** A list reads its filters and its order itself. */
const list = (given: Record<string, unknown>) => ({ ...given, ...address({ search: text })(given) });
const none = address({});
const tab = address({ tab: text });
const settings = address({ section: text, search: text });
const groups = address({ search: text, defaults: flag });
const authentication = address({ tab: text, flow: text });
const events = address({
  search: text,
  type: text,
  from: moment,
  until: moment,
  live: flag,
  event: text,
  actor: text,
  object: text,
});

/** All screens. The navigation and the palette are made from those with an area. */
const screens = [
  screen('/', () => import('./overview/overview.js'), 'Overview', none, area.overview),
  screen('/settings', () => import('./realm/settings.js'), 'Settings', settings, area.settings),
  screen('/users', () => import('./users/users.js'), 'Users', list, area.users),
  screen('/users/$id', () => import('./users/user.js'), 'User', tab),
  screen('/groups', () => import('./groups/groups.js'), 'Groups', groups, area.groups),
  screen('/groups/$id', () => import('./groups/group.js'), 'Group', tab),
  screen('/roles', () => import('./roles/roles.js'), 'Roles', list, area.roles),
  screen('/roles/$id', () => import('./roles/role.js'), 'Role', tab),
  screen('/directories', () => import('./directories/directories.js'), 'Directories', list, area.directories),
  screen('/directories/$id', () => import('./directories/directory.js'), 'Directory', tab),
  screen('/sessions', () => import('./sessions/sessions.js'), 'Sessions', list, area.sessions),
  screen('/clients', () => import('./clients/clients.js'), 'Clients', list, area.clients),
  screen('/clients/$id', () => import('./clients/client.js'), 'Client', tab),
  screen('/client-scopes', () => import('./clients/scopes.js'), 'Scopes', list, area.clientScopes),
  screen('/client-scopes/$id', () => import('./clients/scopes.js'), 'Scope', tab),
  screen(
    '/authentication',
    () => import('./authentication/authentication.js'),
    'Authentication',
    authentication,
    area.authentication,
  ),
  screen(
    '/identity-providers',
    () => import('./identity-providers/providers.js'),
    'Providers',
    list,
    area.identityProviders,
  ),
  screen('/identity-providers/$id', () => import('./identity-providers/provider.js'), 'Provider', tab),
  screen('/code', () => import('./code/code.js'), 'Code', none, area.code),
  screen('/audit', () => import('./events/audit.js'), 'Audit', events, area.audit),
  screen('/logins', () => import('./events/logins.js'), 'Logins', events, area.logins),
  screen('/webhooks', () => import('./webhooks/webhooks.js'), 'Webhooks', list, area.webhooks),
  screen('/webhooks/$id', () => import('./webhooks/webhook.js'), 'Webhook', none),
] as const;

/** The router of the console, below the realm of the login. */
export const router = createRouter({
  routeTree: root.addChildren([start, realm.addChildren(screens)]),
  basepath: base,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
