import type { AccountRole } from '../../services/account/account.js';
import { isOn } from '../../services/core/realm.js';
import type { MessageKey } from '../../services/login/messages-en.js';
import type { Markup } from '../../services/login/pages/html.js';
import { activityPage } from './activity-page.js';
import { applicationsPage, revokeForm } from './applications-page.js';
import { linkForm, linksPage, unlinkForm } from './links-page.js';
import { answerLoginForm } from './login-requests.js';
import { profileForm, profilePage } from './profile-page.js';
import { resourcesPage, sharingForm } from './resources-page.js';
import { labelForm, removeForm, securityPage } from './security-page.js';
import { endForm, endOthersForm, sessionsPage } from './sessions-page.js';
import type { AccountForm, Visited } from './visited.js';

/** A page of the account. */
export interface AccountPage {
  /** path below `/account` */
  path: string;
  title: MessageKey;
  /** roles of which one lets users see it */
  roles: readonly AccountRole[];
  /** whether the realm has something to be shown */
  isOffered?: (at: Visited) => boolean;
  view(at: Visited): Promise<Markup>;
  /** its forms, by their names */
  forms: Readonly<Record<string, AccountForm>>;
}

const profileRoles = ['manage-account', 'view-profile'] as const;

/** The pages in the order of the menu. */
export const accountPages: readonly AccountPage[] = [
  { path: '', title: 'personalInfo', roles: profileRoles, view: profilePage, forms: { profile: profileForm } },
  {
    path: 'security',
    title: 'signingIn',
    roles: profileRoles,
    view: securityPage,
    forms: { remove: removeForm, label: labelForm },
  },
  {
    path: 'sessions',
    title: 'deviceActivity',
    roles: profileRoles,
    view: sessionsPage,
    forms: { end: endForm, endOthers: endOthersForm },
  },
  {
    path: 'linked-accounts',
    title: 'linkedAccounts',
    roles: profileRoles,
    isOffered: ({ account }) => account.realm.identityProviders.length > 0,
    view: linksPage,
    forms: { link: linkForm, unlink: unlinkForm },
  },
  {
    path: 'applications',
    title: 'applicationsTitle',
    roles: ['manage-account', 'view-applications'],
    view: applicationsPage,
    forms: { revoke: revokeForm, answerLogin: answerLoginForm },
  },
  {
    path: 'resources',
    title: 'resourcesTitle',
    roles: profileRoles,
    isOffered: ({ account }) => isOn(account.realm, 'userManagedAccessAllowed'),
    view: resourcesPage,
    forms: { share: sharingForm },
  },
  {
    path: 'activity',
    title: 'activityTitle',
    roles: profileRoles,
    isOffered: ({ account }) => isOn(account.realm, 'eventsEnabled'),
    view: activityPage,
    forms: {},
  },
];
