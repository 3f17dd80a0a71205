/** Requirements of steps, as the contract spells them. */
export const requirements = ['REQUIRED', 'ALTERNATIVE', 'DISABLED', 'CONDITIONAL'] as const;
export type Requirement = (typeof requirements)[number];

/** Whether a text is a requirement of an execution. */
export const isRequirement = (text: string | undefined): text is Requirement =>
  requirements.some((requirement) => requirement === text);

/** A provider of steps in flows. */
export interface AuthenticatorProvider {
  id: string;
  displayName: string;
  description: string;
  requirementChoices: readonly Requirement[];
  configurable: boolean;
}

const any: readonly Requirement[] = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const must: readonly Requirement[] = ['REQUIRED'];
const mayBeOff: readonly Requirement[] = ['REQUIRED', 'DISABLED'];

const provider = (
  id: string,
  displayName: string,
  description: string,
  requirementChoices: readonly Requirement[] = any,
  configurable = false,
): AuthenticatorProvider => ({ id, displayName, description, requirementChoices, configurable });

/** Authenticators of users. */
export const authenticators: readonly AuthenticatorProvider[] = [
  provider('allow-access-authenticator', 'Allow access', 'Always succeeds', any),
  provider(
    'auth-conditional-otp-form',
    'Conditional OTP Form',
    'Requests a one-time password under configurable conditions',
    any,
    true,
  ),
  provider('auth-cookie', 'Cookie', 'Validates the session cookie of an earlier login'),
  provider('auth-otp-form', 'OTP Form', 'Requests a one-time password on a page'),
  provider('auth-password-form', 'Password Form', 'Requests the password on a page', must),
  provider('auth-spnego', 'Kerberos', 'Negotiates a Kerberos ticket with the browser (SPNEGO)'),
  provider('auth-username-form', 'Username Form', 'Requests the username on a page', must),
  provider('auth-username-password-form', 'Username Password Form', 'Requests username and password on a page', must),
  provider(
    'auth-x509-client-username-form',
    'X509/Validate Username Form',
    'Identifies the user by the certificate of the browser',
    any,
    true,
  ),
  provider('basic-auth', 'Basic Auth Challenge', 'Requests username and password with HTTP Basic authentication'),
  provider(
    'basic-auth-otp',
    'Basic Auth Password+OTP',
    'Requests username, password, and one-time password with HTTP Basic authentication',
  ),
  provider(
    'conditional-user-configured',
    'Condition - user configured',
    'Runs its flow only if the user has configured the other executions',
    mayBeOff,
  ),
  provider(
    'conditional-user-role',
    'Condition - user role',
    'Runs its flow only for users with a given role',
    mayBeOff,
    true,
  ),
  provider(
    'console-username-password',
    'Username Password Challenge',
    'Requests username and password on a command line',
    must,
  ),
  provider('deny-access-authenticator', 'Deny access', 'Always fails', any),
  provider(
    'direct-grant-auth-x509-username',
    'X509/Validate Username',
    'Identifies the user of a direct grant by the certificate of the connection',
    must,
    true,
  ),
  provider('direct-grant-validate-otp', 'OTP', 'Validates the one-time password of a direct grant'),
  provider('direct-grant-validate-password', 'Password', 'Validates the password of a direct grant'),
  provider('direct-grant-validate-username', 'Username Validation', 'Identifies the user of a direct grant', must),
  provider(
    'docker-http-basic-authenticator',
    'Docker Authenticator',
    'Validates username and password of a Docker client',
    must,
  ),
  provider(
    'http-basic-authenticator',
    'HTTP Basic Authentication',
    'Validates username and password of HTTP Basic authentication',
  ),
  provider(
    'identity-provider-redirector',
    'Identity Provider Redirector',
    'Redirects the browser to an identity provider',
    any,
    true,
  ),
  provider('idp-auto-link', 'Automatically set existing user', 'Links an existing account without confirmation'),
  provider(
    'idp-confirm-link',
    'Confirm link existing account',
    'Asks the user to confirm the link to an existing account',
  ),
  provider(
    'idp-create-user-if-unique',
    'Create User If Unique',
    'Creates the user unless the username or email address is in use',
    any,
    true,
  ),
  provider(
    'idp-detect-existing-broker-user',
    'Detect existing broker user',
    'Identifies the existing account for a login with an identity provider',
  ),
  provider(
    'idp-email-verification',
    'Verify existing account by Email',
    'Verifies the ownership of an existing account by email',
  ),
  provider(
    'idp-review-profile',
    'Review Profile',
    'Lets users review the profile from an identity provider',
    any,
    true,
  ),
  provider(
    'idp-username-password-form',
    'Username Password Form for identity provider reauthentication',
    'Requests the password of the account to be linked',
    must,
  ),
  provider('no-cookie-redirect', 'Browser Redirect/Refresh', 'Redirects a browser without cookies once', must),
  provider('reset-credential-email', 'Send Reset Email', 'Sends an email with a link to reset the password', must),
  provider('reset-credentials-choose-user', 'Choose User', 'Asks for the account whose password is reset', must),
  provider('reset-otp', 'Reset OTP', 'Requires the user to set up a new one-time password device'),
  provider('reset-password', 'Reset Password', 'Requires the user to choose a new password'),
  provider('webauthn-authenticator', 'WebAuthn Authenticator', 'Validates a WebAuthn credential as second factor'),
  provider(
    'webauthn-authenticator-passwordless',
    'WebAuthn Passwordless Authenticator',
    'Validates a WebAuthn credential instead of a password',
  ),
];

/** Authenticators of newer versions of Keycloak: they can be added to flows, and the lists of the contract do not have them. */
export const newerAuthenticators: readonly AuthenticatorProvider[] = [
  provider('auth-recovery-authn-code-form', 'Recovery Authentication Code Form', 'Requests a recovery code on a page'),
  provider(
    'conditional-credential',
    'Condition - credential',
    'Runs its flow only if the user has, or has not, logged in with one of the given credentials',
    mayBeOff,
    true,
  ),
  provider(
    'conditional-level-of-authentication',
    'Condition - Level of Authentication',
    'Runs its flow only if the client asks for its level of authentication, or if no level was reached yet',
    mayBeOff,
    true,
  ),
];

/** How clients prove who they are. */
export const clientAuthenticators: readonly AuthenticatorProvider[] = [
  provider('client-jwt', 'Signed Jwt', 'JWT that the client signed with its private key'),
  provider('client-secret', 'Client Id and Secret', 'Client ID and shared secret'),
  provider('client-secret-jwt', 'Signed Jwt with Client Secret', 'JWT that the client signed with the shared secret'),
  provider('client-x509', 'X509 Certificate', 'Certificate of the TLS connection'),
];

/** The pages of forms. */
export const formProviders: readonly AuthenticatorProvider[] = [
  provider('registration-page-form', 'Registration Page', 'Registration page for new users', mayBeOff),
];

/** Steps of forms. */
export const formActions: readonly AuthenticatorProvider[] = [
  provider(
    'registration-password-action',
    'Password Validation',
    'Validates the password and its confirmation',
    mayBeOff,
  ),
  provider('registration-profile-action', 'Profile Validation', 'Validates name and email address', mayBeOff),
  provider('registration-recaptcha-action', 'Recaptcha', 'Blocks automated registration', mayBeOff, true),
  provider('registration-user-creation', 'Registration User Creation', 'Creates the new user', mayBeOff),
];

const all = new Map(
  [...authenticators, ...newerAuthenticators, ...clientAuthenticators, ...formProviders, ...formActions].map(
    (entry) => [entry.id, entry],
  ),
);

/** The provider of a step; undefined if this server does not support it. */
export const providerById = (id: string): AuthenticatorProvider | undefined => all.get(id);

/** The providers that steps of a flow of this kind can have. */
export function providersFor(flowKind: string): readonly AuthenticatorProvider[] {
  if (flowKind === 'form-flow') return formActions;
  return flowKind === 'client-flow' ? clientAuthenticators : [...authenticators, ...newerAuthenticators];
}

/** The provider of a step, if providers of its kind can have settings: pages of forms cannot. */
export const providerWithSettings = (id: string): AuthenticatorProvider | undefined =>
  formProviders.some((page) => page.id === id) ? undefined : all.get(id);

/** The initial requirement of a step: disabled, if its provider allows it. */
export const firstRequirement = ({ requirementChoices }: AuthenticatorProvider): Requirement =>
  requirementChoices.includes('DISABLED') ? 'DISABLED' : (requirementChoices[0] ?? 'DISABLED');

/** Requirements of a step that runs a flow of the given kind. */
export function flowRequirementChoices(providerId: string): readonly Requirement[] {
  if (providerId === 'form-flow') return mayBeOff;
  return providerId === 'client-flow' ? any : [...any, 'CONDITIONAL'];
}

/** An entry of the lists of providers. */
export const encodeProvider = ({ id, displayName, description }: AuthenticatorProvider) => ({
  id,
  displayName,
  description,
});
