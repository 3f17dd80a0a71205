import { ownMember } from '../core/json.js';
import type { Sealer } from '../core/seal.js';
import type { Place, RowOfRealm } from '../core/sealed-columns.js';
import type { AuthenticatorProvider } from './providers.js';

/** The type of a setting's value, as in the contract. */
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
  x509('List', 'mapping-source-selection', 'User Identity Source', 'Part of the certificate that identifies the user', {
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
  x509(
    'boolean',
    'canonical-dn-enabled',
    'Canonical DN representation enabled',
    'Whether distinguished names are compared in canonical form',
    {
      defaultValue: 'false',
    },
  ),
  x509(
    'boolean',
    'serialnumber-hex-enabled',
    'Enable Serial Number hexadecimal representation',
    'Whether the serial number is written in hexadecimal',
    {
      defaultValue: 'false',
    },
  ),
  x509(
    'String',
    'regular-expression',
    'A regular expression to extract user identity',
    'Regular expression whose first group identifies the user',
    {
      defaultValue: '(.*?)(?:$)',
    },
  ),
  x509(
    'List',
    'mapper-selection',
    'User mapping method',
    'Property of the user that is compared with the certificate',
    {
      defaultValue: 'Custom Attribute Mapper',
      options: ['Username or Email', 'Custom Attribute Mapper'],
    },
  ),
  x509(
    'MultivaluedString',
    'mapper-selection.user-attribute-name',
    'A name of user attribute',
    'User attributes that are compared with the certificate',
    {
      defaultValue: 'usercertificate',
    },
  ),
  x509(
    'boolean',
    'timestamp-validation-enabled',
    'Check certificate validity',
    'Whether the certificate must be within its validity period',
    {
      defaultValue: 'true',
    },
  ),
  x509('boolean', 'crl-checking-enabled', 'CRL Checking Enabled', 'Whether certificate revocation lists are checked'),
  x509(
    'boolean',
    'crldp-checking-enabled',
    'Enable CRL Distribution Point to check certificate revocation status',
    'Whether the revocation lists named in the certificate are checked',
    {
      defaultValue: 'false',
    },
  ),
  x509('MultivaluedString', 'crl-relative-path', 'CRL File path', 'Paths of files with revocation lists', {
    defaultValue: 'crl.pem',
  }),
  x509(
    'boolean',
    'ocsp-checking-enabled',
    'OCSP Checking Enabled',
    'Whether the revocation status is requested from the issuer (RFC 6960)',
  ),
  x509(
    'String',
    'ocsp-responder-uri',
    'OCSP Responder Uri',
    'URI of the responder that is used instead of the one in the certificate',
  ),
  x509('Text', 'ocsp-responder-certificate', 'OCSP Responder Certificate', 'PEM certificate of the OCSP responder'),
  x509('String', 'keyusage', 'Validate Key Usage', 'Key usages that the certificate must allow, separated by commas'),
  x509(
    'String',
    'extendedkeyusage',
    'Validate Extended Key Usage',
    'Extended key usages that the certificate must allow, separated by commas',
  ),
  x509(
    'boolean',
    'confirmation-page-disallowed',
    'Bypass identity confirmation',
    'Whether users continue without confirming their identity',
  ),
];

const settings: Readonly<Record<string, readonly ProviderSetting[]>> = {
  'identity-provider-redirector': [
    setting(
      'String',
      'defaultProvider',
      'Default Identity Provider',
      'Alias of the identity provider to which users are redirected',
    ),
  ],
  'auth-conditional-otp-form': [
    setting(
      'String',
      'otpControlAttribute',
      'OTP control User Attribute',
      'User attribute whose value `force` or `skip` decides',
    ),
    setting('Role', 'skipOtpRole', 'Skip OTP for Role', 'Users with this role do not need a one-time password'),
    setting('Role', 'forceOtpRole', 'Force OTP for Role', 'Users with this role always need a one-time password'),
    setting(
      'String',
      'noOtpRequiredForHeaderPattern',
      'Skip OTP for Header',
      'Regular expression for request headers',
      {
        defaultValue: '',
      },
    ),
    setting('String', 'forceOtpForHeaderPattern', 'Force OTP for Header', 'Regular expression for request headers', {
      defaultValue: '',
    }),
    setting('List', 'defaultOtpOutcome', 'Fallback OTP handling', 'Result if nothing else decides', {
      options: ['skip', 'force'],
    }),
  ],
  'auth-x509-client-username-form': certificateSettings,
  'direct-grant-auth-x509-username': certificateSettings,
  'conditional-user-role': [
    setting('Role', 'condUserRole', 'User role', 'Role that decides. For a client role: `clientId.role`'),
    setting('boolean', 'negate', 'Negate output', 'Whether the condition is met by users without the role'),
  ],
  'conditional-credential': [
    setting(
      'MultivaluedString',
      'credentials',
      'Credentials',
      'Types of the credentials, e.g. `webauthn-passwordless`',
    ),
    setting(
      'boolean',
      'included',
      'Included',
      'Whether the condition is met by users who have logged in with one of them, or by those who have not',
      { defaultValue: 'false' },
    ),
  ],
  'conditional-level-of-authentication': [
    setting(
      'String',
      'loa-condition-level',
      'Level of Authentication',
      'Number of the level, which clients name by the attribute `acr.loa.map` of themselves or of the realm',
      { defaultValue: '1' },
    ),
    setting('String', 'loa-max-age', 'Max Age', 'Seconds for which the level counts in a session; 0 for one login', {
      defaultValue: '36000',
    }),
  ],
  'idp-create-user-if-unique': [
    setting(
      'boolean',
      'require.password.update.after.registration',
      'Require Password Update After Registration',
      'Whether new users must choose a password',
    ),
  ],
  'idp-review-profile': [
    setting(
      'List',
      'update.profile.on.first.login',
      'Update Profile on First Login',
      'When the profile is requested: always, never, or if data is missing',
      {
        defaultValue: 'missing',
        options: ['on', 'missing', 'off'],
      },
    ),
  ],
  'registration-recaptcha-action': [
    setting('String', 'site.key', 'Recaptcha Site Key', 'Site key of the Google reCAPTCHA site'),
    setting('String', 'secret', 'Recaptcha Secret', 'Secret key of the Google reCAPTCHA site'),
    setting('boolean', 'useRecaptchaNet', 'use recaptcha.net', 'Whether recaptcha.net is used instead of google.com'),
  ],
};

/** Settings with secret values. */
const secretSettings = new Set(['secret']);

/** Whether a setting with this name is secret. */
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

/** The settings of a configuration in their stored form: secrets sealed. */
export const sealedSettings = (owner: RowOfRealm, config: Settings, { seal }: Pick<Sealer, 'seal'>): Settings =>
  converted(owner, config, seal);

/** The settings of a stored configuration with its secrets in plain text. */
export const openedSettings = (owner: RowOfRealm, config: Settings, { open }: Pick<Sealer, 'open'>): Settings =>
  converted(owner, config, open);

/** The settings of a provider; most have none. */
export const settingsOf = (providerId: string): readonly ProviderSetting[] => ownMember(settings, providerId) ?? [];

/** ConfigPropertyRepresentation. The contract calls no setting of an authenticator a secret. */
export const encodeSetting = (entry: ProviderSetting) => ({ ...entry, secret: false });

/** AuthenticatorConfigInfoRepresentation. */
export const encodeConfigInfo = ({ id, displayName, description }: AuthenticatorProvider) => ({
  name: displayName,
  providerId: id,
  helpText: description,
  properties: settingsOf(id).map(encodeSetting),
});
