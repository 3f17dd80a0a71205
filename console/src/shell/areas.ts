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
  overview: entry('realm', ['Overview', 'Übersicht'], IconGauge, 'ANY_ADMIN'),
  settings: entry('realm', ['Realm settings', 'Realm-Einstellungen'], IconSettings, 'VIEW_REALM'),
  users: entry('people', ['Users', 'Benutzer'], IconUsers, 'QUERY_USERS', 'VIEW_USERS'),
  groups: entry('people', ['Groups', 'Gruppen'], IconUsersGroup, 'QUERY_GROUPS', 'VIEW_GROUPS'),
  roles: entry('people', ['Roles', 'Rollen'], IconShield, 'QUERY_REALM'),
  clients: entry('applications', ['Clients', 'Clients'], IconApps, 'QUERY_CLIENTS', 'VIEW_CLIENTS'),
  clientScopes: entry(
    'applications',
    ['Client scopes', 'Client-Scopes'],
    IconStack2,
    'LIST_CLIENT_SCOPES',
    'VIEW_CLIENTS',
  ),
  authentication: entry('security', ['Authentication', 'Authentifizierung'], IconLogin, 'VIEW_FLOWS'),
  identityProviders: entry(
    'security',
    ['Identity providers', 'Identity-Provider'],
    IconCloudLock,
    'VIEW_IDENTITY_PROVIDERS',
  ),
  directories: entry('people', ['Directories', 'Verzeichnisse'], IconServer, 'VIEW_REALM'),
  sessions: entry('people', ['Sessions', 'Sitzungen'], IconDeviceLaptop, 'VIEW_USERS'),
  code: entry('realm', ['Realm as code', 'Realm als Code'], IconFileCode, 'VIEW_REALM'),
  audit: entry('records', ['Audit records', 'Änderungsprotokoll'], IconHistory, 'VIEW_EVENTS'),
  logins: entry('records', ['Login events', 'Anmeldeereignisse'], IconLogin2, 'VIEW_EVENTS'),
  webhooks: entry('records', ['Webhooks', 'Webhooks'], IconWebhook, 'VIEW_EVENTS'),
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
