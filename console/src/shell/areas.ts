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
} from '@tabler/icons-react';
import type { Text } from '../text/text.js';
import type { Permission } from './permissions.js';

/** The sections of the navigation, in their order. Their names are texts of the frame. */
export const sections = ['realm', 'people', 'applications', 'security', 'records'] as const;

/** An entry of the navigation and of the palette. It is shown to callers with the permission. */
export interface Area {
  section: (typeof sections)[number];
  title: Text;
  icon: Icon;
  permission: Permission;
}

/** The areas of the console by name. A route shows its own by `staticData`. */
export const area = {
  overview: { section: 'realm', title: ['Overview', 'Übersicht'], icon: IconGauge, permission: 'ANY_ADMIN' },
  settings: {
    section: 'realm',
    title: ['Realm settings', 'Realm-Einstellungen'],
    icon: IconSettings,
    permission: 'VIEW_REALM',
  },
  users: { section: 'people', title: ['Users', 'Benutzer'], icon: IconUsers, permission: 'QUERY_USERS' },
  groups: { section: 'people', title: ['Groups', 'Gruppen'], icon: IconUsersGroup, permission: 'QUERY_GROUPS' },
  roles: { section: 'people', title: ['Roles', 'Rollen'], icon: IconShield, permission: 'QUERY_REALM' },
  clients: { section: 'applications', title: ['Clients', 'Clients'], icon: IconApps, permission: 'QUERY_CLIENTS' },
  clientScopes: {
    section: 'applications',
    title: ['Client scopes', 'Client-Scopes'],
    icon: IconStack2,
    permission: 'LIST_CLIENT_SCOPES',
  },
  authentication: {
    section: 'security',
    title: ['Authentication', 'Authentifizierung'],
    icon: IconLogin,
    permission: 'VIEW_FLOWS',
  },
  identityProviders: {
    section: 'security',
    title: ['Identity providers', 'Identity-Provider'],
    icon: IconCloudLock,
    permission: 'VIEW_IDENTITY_PROVIDERS',
  },
  directories: {
    section: 'people',
    title: ['Directories', 'Verzeichnisse'],
    icon: IconServer,
    permission: 'VIEW_REALM',
  },
  sessions: {
    section: 'people',
    title: ['Sessions', 'Sitzungen'],
    icon: IconDeviceLaptop,
    permission: 'VIEW_USERS',
  },
  code: { section: 'realm', title: ['Realm as code', 'Realm als Code'], icon: IconFileCode, permission: 'VIEW_REALM' },
  audit: {
    section: 'records',
    title: ['Audit records', 'Änderungsprotokoll'],
    icon: IconHistory,
    permission: 'VIEW_EVENTS',
  },
  logins: {
    section: 'records',
    title: ['Login events', 'Anmeldeereignisse'],
    icon: IconLogin2,
    permission: 'VIEW_EVENTS',
  },
  webhooks: { section: 'records', title: ['Webhooks', 'Webhooks'], icon: IconWebhook, permission: 'VIEW_EVENTS' },
} as const satisfies Record<string, Area>;
