import type { Sealer } from '../core/seal.js';
import type { Place, RowOfRealm } from '../core/sealed-columns.js';
import type { AuthenticatorProvider } from './providers.js';

/** What kind of value a setting has, as the contract spells it. */
export type SettingType = 'String' | 'List' | 'Role' | 'boolean' | 'MultivaluedString' | 'Text';

/** A setting of a provider, as forms for it show it. */
export interface ProviderSetting {
  name: string;
  label: string;
  helpText: string;
  type: SettingType;
  defaultValue?: string;
  options?: readonly string[];
}

const setting = (
  type: SettingType,
  name: string,
  label: string,
  helpText: string,
  more: Pick<ProviderSetting, 'defaultValue' | 'options'> = {},
): ProviderSetting => ({ name, label, helpText, type, ...more });

const x509 = (
  type: SettingType,
  name: string,
  label: string,
  helpText: string,
  more: Pick<ProviderSetting, 'defaultValue' | 'options'> = {},
) => setting(type, `x509-cert-auth.${name}`, label, helpText, more);

const certificateSettings: readonly ProviderSetting[] = [
  x509('List', 'mapping-source-selection', 'Part of the certificate', 'Which part of the certificate names the user', {
    defaultValue: 'Match SubjectDN using regular expression',
    options: [
      'Match SubjectDN using regular expression',
      "Subject's e-mail",
      "Subject's Alternative Name E-mail",
      "Subject's Alternative Name otherName (UPN)",
      "Subject's Common Name",
      'Match IssuerDN using regular expression',
      'Certificate Serial Number',
      'Certificate Serial Number and IssuerDN',
      'SHA-256 Thumbprint',
      'Full Certificate in PEM format',
    ],
  }),
  x509('boolean', 'canonical-dn-enabled', 'Canonical names', 'Whether names are compared in their canonical form', {
    defaultValue: 'false',
  }),
  x509('boolean', 'serialnumber-hex-enabled', 'Hexadecimal serial number', 'Whether it is written in hexadecimal', {
    defaultValue: 'false',
  }),
  x509('String', 'regular-expression', 'Regular expression', 'Its first group is what users are looked up by', {
    defaultValue: '(.*?)(?:$)',
  }),
  x509('List', 'mapper-selection', 'Way to the user', 'What of the user is compared with it', {
    defaultValue: 'Custom Attribute Mapper',
    options: ['Username or Email', 'Custom Attribute Mapper'],
  }),
  x509('MultivaluedString', 'mapper-selection.user-attribute-name', 'Attributes', 'Attributes that are compared', {
    defaultValue: 'usercertificate',
  }),
  x509('boolean', 'timestamp-validation-enabled', 'Check the dates', 'Whether the certificate has to be in force', {
    defaultValue: 'true',
  }),
  x509('boolean', 'crl-checking-enabled', 'Check revocation lists', 'Whether lists of revoked certificates are asked'),
  x509(
    'boolean',
    'crldp-checking-enabled',
    'Lists that it names',
    'Whether lists are those that the certificate names',
    {
      defaultValue: 'false',
    },
  ),
  x509('MultivaluedString', 'crl-relative-path', 'Files of revocation lists', 'Where the lists are', {
    defaultValue: 'crl.pem',
  }),
  x509('boolean', 'ocsp-checking-enabled', 'Ask by OCSP', 'Whether the issuer is asked about it (RFC 6960)'),
  x509('String', 'ocsp-responder-uri', 'Address for OCSP', 'Who is asked instead of whom the certificate names'),
  x509('Text', 'ocsp-responder-certificate', 'Certificate for OCSP', 'PEM certificate of the OCSP responder'),
  x509('String', 'keyusage', 'Key usage', 'Usages that the certificate has to allow, with commas between them'),
  x509('String', 'extendedkeyusage', 'Extended key usage', 'Purposes that it has to have, with commas between them'),
  x509('boolean', 'confirmation-page-disallowed', 'No page to confirm', 'Whether users go on without being asked'),
];

const settings: Readonly<Record<string, readonly ProviderSetting[]>> = {
  'identity-provider-redirector': [
    setting('String', 'defaultProvider', 'Identity provider', 'Alias of the identity provider to go to at once'),
  ],
  'auth-conditional-otp-form': [
    setting('String', 'otpControlAttribute', 'Attribute of the user', 'Its value `force` or `skip` decides'),
    setting('Role', 'skipOtpRole', 'Role without a code', 'Users with this role are not asked'),
    setting('Role', 'forceOtpRole', 'Role with a code', 'Users with this role are always asked'),
    setting('String', 'noOtpRequiredForHeaderPattern', 'Headers without a code', 'Expression for headers of requests', {
      defaultValue: '',
    }),
    setting('String', 'forceOtpForHeaderPattern', 'Headers with a code', 'Expression for headers of requests', {
      defaultValue: '',
    }),
    setting('List', 'defaultOtpOutcome', 'Otherwise', 'What happens when nothing else decides', {
      options: ['skip', 'force'],
    }),
  ],
  'auth-x509-client-username-form': certificateSettings,
  'direct-grant-auth-x509-username': certificateSettings,
  'conditional-user-role': [
    setting('Role', 'condUserRole', 'Role', 'The role that decides; that of a client as clientId.role'),
    setting('boolean', 'negate', 'The other way round', 'Whether it is for those without the role'),
  ],
  'idp-create-user-if-unique': [
    setting(
      'boolean',
      'require.password.update.after.registration',
      'Ask for a password',
      'Whether new users have to choose a password',
    ),
  ],
  'idp-review-profile': [
    setting('List', 'update.profile.on.first.login', 'When to ask', 'Always, never, or when something is missing', {
      defaultValue: 'missing',
      options: ['on', 'missing', 'off'],
    }),
  ],
  'registration-recaptcha-action': [
    setting('String', 'site.key', 'Site key', 'The public key that Google gave out for the site'),
    setting('String', 'secret', 'Secret', 'The secret key that goes with it'),
    setting('boolean', 'useRecaptchaNet', 'Use recaptcha.net', 'Whether recaptcha.net is used in place of google.com'),
  ],
};

/** Settings whose values are nobody's business but the provider's. */
const secretSettings = new Set(['secret']);

/** Whether a setting of this name holds a secret. */
export const isSecretSetting = (name: string): boolean => secretSettings.has(name);

type Settings = Record<string, string>;

const converted = (
  { id, realmId }: RowOfRealm,
  config: Settings,
  convert: (value: string, place: Place) => string,
): Settings =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const place = { model: 'AuthenticatorConfig', id, owner: realmId, field: `config.${name}` } as const;
      return [name, isSecretSetting(name) ? convert(value, place) : value];
    }),
  );

/** The settings of a configuration as they are stored: secrets sealed. */
export const sealedSettings = (owner: RowOfRealm, config: Settings, { seal }: Pick<Sealer, 'seal'>): Settings =>
  converted(owner, config, seal);

/** The settings of a stored configuration with its secrets in plain text. */
export const openedSettings = (owner: RowOfRealm, config: Settings, { open }: Pick<Sealer, 'open'>): Settings =>
  converted(owner, config, open);

/** The settings that a provider has; none for most. */
export const settingsOf = (providerId: string): readonly ProviderSetting[] => settings[providerId] ?? [];

/** ConfigPropertyRepresentation. The contract calls no setting of an authenticator a secret. */
export const encodeSetting = (entry: ProviderSetting) => ({ ...entry, secret: false });

/** AuthenticatorConfigInfoRepresentation. */
export const encodeConfigInfo = ({ id, displayName, description }: AuthenticatorProvider) => ({
  name: displayName,
  providerId: id,
  helpText: description,
  properties: settingsOf(id).map(encodeSetting),
});
