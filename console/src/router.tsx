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
import { base, home } from './session/sign-in.js';
import { type Area, area } from './shell/areas.js';
import { Shell } from './shell/shell.js';
import { loadShown } from './text/lazy.js';

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

/** A screen of a realm, which is loaded when it is opened, with the texts of the folders: what its address has, and its entry in the navigation. */
const screen = <const Path extends string, Name extends string, Search extends object>(
  path: Path,
  folders: readonly string[],
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  search: (given: Record<string, unknown>) => Search,
  entry?: Area,
) =>
  createRoute({
    getParentRoute: () => realm,
    path,
    component: lazyRouteComponent(() => loadShown(load, folders), name),
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
  screen('/', ['overview'], () => import('./overview/overview.js'), 'Overview', none, area.overview),
  screen(
    '/settings',
    ['realm', 'client-policies', 'code'],
    () => import('./realm/settings.js'),
    'Settings',
    settings,
    area.settings,
  ),
  screen('/users', ['users'], () => import('./users/users.js'), 'Users', list, area.users),
  screen('/users/$id', ['users'], () => import('./users/user.js'), 'User', tab),
  screen('/groups', ['groups'], () => import('./groups/groups.js'), 'Groups', groups, area.groups),
  screen('/groups/$id', ['groups'], () => import('./groups/group.js'), 'Group', tab),
  screen('/roles', ['roles'], () => import('./roles/roles.js'), 'Roles', list, area.roles),
  screen('/roles/$id', ['roles'], () => import('./roles/role.js'), 'Role', tab),
  screen(
    '/directories',
    ['directories'],
    () => import('./directories/directories.js'),
    'Directories',
    list,
    area.directories,
  ),
  screen('/directories/$id', ['directories'], () => import('./directories/directory.js'), 'Directory', tab),
  screen('/sessions', ['sessions'], () => import('./sessions/sessions.js'), 'Sessions', list, area.sessions),
  screen('/clients', ['clients', 'code'], () => import('./clients/clients.js'), 'Clients', list, area.clients),
  screen('/clients/$id', ['clients', 'code', 'quick-start'], () => import('./clients/client.js'), 'Client', tab),
  screen('/client-scopes', ['clients', 'code'], () => import('./clients/scopes.js'), 'Scopes', list, area.clientScopes),
  screen('/client-scopes/$id', ['clients', 'code'], () => import('./clients/scopes.js'), 'Scope', tab),
  screen(
    '/authentication',
    ['authentication'],
    () => import('./authentication/authentication.js'),
    'Authentication',
    authentication,
    area.authentication,
  ),
  screen(
    '/identity-providers',
    ['identity-providers'],
    () => import('./identity-providers/providers.js'),
    'Providers',
    list,
    area.identityProviders,
  ),
  screen(
    '/identity-providers/$id',
    ['identity-providers'],
    () => import('./identity-providers/provider.js'),
    'Provider',
    tab,
  ),
  screen('/code', ['code'], () => import('./code/code.js'), 'Code', none, area.code),
  screen('/audit', ['events'], () => import('./events/audit.js'), 'Audit', events, area.audit),
  screen('/logins', ['events'], () => import('./events/logins.js'), 'Logins', events, area.logins),
  screen('/webhooks', ['webhooks'], () => import('./webhooks/webhooks.js'), 'Webhooks', list, area.webhooks),
  screen('/webhooks/$id', ['webhooks'], () => import('./webhooks/webhook.js'), 'Webhook', none),
] as const;

/** The router of the console, below the realm of the login. */
export const router = createRouter({
  routeTree: root.addChildren([start, realm.addChildren(screens)]),
  basepath: base,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
