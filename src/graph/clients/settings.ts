import * as application from './application-settings.js';
import { saml } from './saml-settings.js';
import type { ClientSetting } from './setting-rows.js';
import * as oidc from './token-settings.js';

export interface ClientSettingGroup {
  /** name of the field with the group */
  name: string;
  /** name of the object type */
  type: string;
  description: string;
  settings: readonly ClientSetting[];
}

/** Every group of settings of a client, in the form in which it is read and written. */
export const clientSettingGroups: readonly ClientSettingGroup[] = [
  { name: 'flows', type: 'ClientFlows', description: 'OAuth flows that the client may use.', settings: oidc.flows },
  { name: 'urls', type: 'ClientUrls', description: 'URLs of the client.', settings: application.urls },
  {
    name: 'authentication',
    type: 'ClientAuthentication',
    description: 'How the client authenticates.',
    settings: application.authentication,
  },
  {
    name: 'tokens',
    type: 'ClientTokens',
    description: 'Lifespans and signatures of the tokens of the client.',
    settings: oidc.tokens,
  },
  {
    name: 'authorizationRequests',
    type: 'ClientAuthorizationRequests',
    description: 'Requirements for authorization requests of the client, such as PKCE.',
    settings: oidc.authorizationRequests,
  },
  {
    name: 'logout',
    type: 'ClientLogout',
    description: 'Front-channel and back-channel logout of the client.',
    settings: application.logout,
  },
  {
    name: 'consent',
    type: 'ClientConsent',
    description: 'Consent of users to the client.',
    settings: application.consent,
  },
  {
    name: 'ciba',
    type: 'ClientCiba',
    description: 'Settings for client-initiated backchannel authentication (CIBA).',
    settings: oidc.ciba,
  },
  { name: 'saml', type: 'ClientSaml', description: 'Settings for SAML 2.0.', settings: saml },
];

/** Settings that are fields of the client object. */
export const generalSettings: readonly ClientSetting[] = application.general;

/** The paths of client settings in the input. */
export const settingPaths: readonly (readonly [path: string, setting: ClientSetting])[] = [
  ...generalSettings.map((setting) => [setting.name, setting] as const),
  ...clientSettingGroups.flatMap(({ name, settings }) =>
    settings.map((setting) => [`${name}.${setting.name}`, setting] as const),
  ),
];

/** Paths of the settings that are attributes, by the name of the attribute. */
export const attributePaths: ReadonlyMap<string, string> = new Map(
  settingPaths.flatMap(([path, { attribute }]) => (attribute === undefined ? [] : [[attribute, path] as const])),
);
