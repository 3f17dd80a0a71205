import { useRouter } from '@tanstack/react-router';
import {
  type Icon,
  IconApps,
  IconCloudLock,
  IconDeviceLaptop,
  IconFileCode,
  IconGauge,
  IconHistory,
  IconLogin,
  IconLogin2,
  IconServer,
  IconSettings,
  IconShield,
  IconStack2,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '../parts/icons.js';
import { useLoad } from '../session/graphql.js';
import type { Text } from '../text/text.js';
import { type Permission, Shell } from './documents.js';
import { texts } from './texts.js';

/** The sections of the navigation, in their order. Their names are texts of the frame. */
export const sections = ['realm', 'people', 'applications', 'security', 'records'] as const;

/** An entry of the navigation and of the palette. It is shown to callers with the permission. */
export interface Area {
  section: (typeof sections)[number];
  title: Text;
  icon: Icon;
  permission: Permission;
  /** shows all of its objects; with `permission` alone, only those that the caller was given access to */
  all: Permission;
}

const entry = (section: Area['section'], title: Text, icon: Icon, permission: Permission, all = permission): Area => ({
  section,
  title,
  icon,
  permission,
  all,
});

/** The areas of the console by name. A route shows its own by `staticData`. */
export const area = {
  overview: entry('realm', texts.overview, IconGauge, 'ANY_ADMIN'),
  settings: entry('realm', texts.realmSettings, IconSettings, 'VIEW_REALM'),
  users: entry('people', texts.users, IconUsers, 'QUERY_USERS', 'VIEW_USERS'),
  groups: entry('people', texts.groups, IconUsersGroup, 'QUERY_GROUPS', 'VIEW_GROUPS'),
  roles: entry('people', texts.roles, IconShield, 'QUERY_REALM'),
  clients: entry('applications', texts.clients, IconApps, 'QUERY_CLIENTS', 'VIEW_CLIENTS'),
  clientScopes: entry('applications', texts.clientScopes, IconStack2, 'LIST_CLIENT_SCOPES', 'VIEW_CLIENTS'),
  authentication: entry('security', texts.authentication, IconLogin, 'VIEW_FLOWS'),
  identityProviders: entry('security', texts.identityProviders, IconCloudLock, 'VIEW_IDENTITY_PROVIDERS'),
  directories: entry('people', texts.directories, IconServer, 'VIEW_REALM'),
  sessions: entry('people', texts.sessions, IconDeviceLaptop, 'VIEW_USERS'),
  code: entry('realm', texts.realmAsCode, IconFileCode, 'VIEW_REALM'),
  audit: entry('records', texts.auditRecords, IconHistory, 'VIEW_EVENTS'),
  logins: entry('records', texts.loginEvents, IconLogin2, 'VIEW_EVENTS'),
  webhooks: entry('records', texts.webhooks, IconWebhook, 'VIEW_EVENTS'),
};

/** The areas that the caller may open, from the routes. */
export function useAreas(realm: string) {
  const router = useRouter();
  const may = useMay(realm);
  return Object.values(router.routesById)
    .flatMap(({ fullPath, options }) =>
      options.staticData?.area ? [{ path: fullPath, ...options.staticData.area }] : [],
    )
    .filter(({ permission }) => may(permission));
}

/** The frame's data: who the caller is, which realms there are, and what he may do in this one. */
export const useShell = (realm: string) => useLoad(Shell, { realm }, { isShared: true });

/** Whether the caller has a permission in the realm. False until it is known. */
export function useMay(realm: string): (permission: Permission) => boolean {
  const { data } = useShell(realm);
  const held = new Set(
    data?.viewer.permissions.flatMap(({ permissions }) => permissions.map(({ permission }) => permission)),
  );
  return (permission) => held.has(permission);
}
