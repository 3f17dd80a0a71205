/** Requirements of steps, as the contract spells them. */
export const requirements = ['REQUIRED', 'ALTERNATIVE', 'DISABLED', 'CONDITIONAL'] as const;
export type Requirement = (typeof requirements)[number];

export const isRequirement = (text: string | undefined): text is Requirement =>
  requirements.some((requirement) => requirement === text);

/** What a step of a flow can be. */
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
    'Asks for a one-time code under conditions that can be set',
    any,
    true,
  ),
  provider('auth-cookie', 'Cookie', 'Recognises the cookie of an earlier login'),
  provider('auth-otp-form', 'OTP Form', 'Asks for a one-time code on a page'),
  provider('auth-password-form', 'Password Form', 'Asks for the password on a page', must),
  provider('auth-spnego', 'Kerberos', 'Negotiates a Kerberos ticket with the browser'),
  provider('auth-username-form', 'Username Form', 'Asks for the user name on a page', must),
  provider('auth-username-password-form', 'Username Password Form', 'Asks for user name and password on a page', must),
  provider(
    'auth-x509-client-username-form',
    'X509/Validate Username Form',
    'Takes the user from the certificate of the browser',
    any,
    true,
  ),
  provider('basic-auth', 'Basic Auth Challenge', 'Asks for user name and password by the Basic scheme of HTTP'),
  provider(
    'basic-auth-otp',
    'Basic Auth Password+OTP',
    'Like the Basic scheme, with a one-time code after the password',
  ),
  provider(
    'conditional-user-configured',
    'Condition - user configured',
    'Runs its flow only if the user has set up the other steps in it',
    mayBeOff,
  ),
  provider(
    'conditional-user-role',
    'Condition - user role',
    'Runs its flow only for users with a role',
    mayBeOff,
    true,
  ),
  provider(
    'console-username-password',
    'Username Password Challenge',
    'Asks for user name and password on a command line',
    must,
  ),
  provider('deny-access-authenticator', 'Deny access', 'Always fails', any),
  provider(
    'direct-grant-auth-x509-username',
    'X509/Validate Username',
    'Takes the user of a direct grant from the certificate of the connection',
    must,
    true,
  ),
  provider('direct-grant-validate-otp', 'OTP', 'Checks the one-time code of a direct grant'),
  provider('direct-grant-validate-password', 'Password', 'Checks the password of a direct grant'),
  provider('direct-grant-validate-username', 'Username Validation', 'Finds the user of a direct grant', must),
  provider(
    'docker-http-basic-authenticator',
    'Docker Authenticator',
    'Checks user name and password that a Docker client sends',
    must,
  ),
  provider(
    'http-basic-authenticator',
    'HTTP Basic Authentication',
    'Checks user name and password that were sent by the Basic scheme of HTTP',
  ),
  provider(
    'identity-provider-redirector',
    'Identity Provider Redirector',
    'Sends the browser to an identity provider at once',
    any,
    true,
  ),
  provider('idp-auto-link', 'Automatically set existing user', 'Links the account that is there without asking'),
  provider('idp-confirm-link', 'Confirm link existing account', 'Asks whether to link the account that is there'),
  provider(
    'idp-create-user-if-unique',
    'Create User If Unique',
    'Creates the user unless user name or e-mail address are taken',
    any,
    true,
  ),
  provider(
    'idp-detect-existing-broker-user',
    'Detect existing broker user',
    'Finds the account that belongs to a login at an identity provider',
  ),
  provider(
    'idp-email-verification',
    'Verify existing account by Email',
    'Has the owner of the account confirm by e-mail',
  ),
  provider(
    'idp-review-profile',
    'Review Profile',
    'Lets users look over what an identity provider told about them',
    any,
    true,
  ),
  provider(
    'idp-username-password-form',
    'Username Password Form for identity provider reauthentication',
    'Asks for the password of the account that is to be linked',
    must,
  ),
  provider(
    'no-cookie-redirect',
    'Browser Redirect/Refresh',
    'Sends a browser without cookies through one redirect',
    must,
  ),
  provider('reset-credential-email', 'Send Reset Email', 'Sends the link for a new password', must),
  provider('reset-credentials-choose-user', 'Choose User', 'Asks whose password is to be reset', must),
  provider('reset-otp', 'Reset OTP', 'Has the user set up a new one-time code generator'),
  provider('reset-password', 'Reset Password', 'Has the user choose a new password'),
  provider('webauthn-authenticator', 'WebAuthn Authenticator', 'Checks a security key as a second factor'),
  provider(
    'webauthn-authenticator-passwordless',
    'WebAuthn Passwordless Authenticator',
    'Checks a security key instead of a password',
  ),
];

/** How clients prove who they are. */
export const clientAuthenticators: readonly AuthenticatorProvider[] = [
  provider('client-jwt', 'Signed Jwt', 'A token that the client signed with its private key'),
  provider('client-secret', 'Client Id and Secret', 'The secret that client and server share'),
  provider(
    'client-secret-jwt',
    'Signed Jwt with Client Secret',
    'A token that the client signed with the shared secret',
  ),
  provider('client-x509', 'X509 Certificate', 'The certificate of the connection'),
];

/** Pages that forms are made of. */
export const formProviders: readonly AuthenticatorProvider[] = [
  provider('registration-page-form', 'Registration Page', 'The page on which users sign up', mayBeOff),
];

/** Steps of forms. */
export const formActions: readonly AuthenticatorProvider[] = [
  provider(
    'registration-password-action',
    'Password Validation',
    'Checks the new password and its repetition',
    mayBeOff,
  ),
  provider('registration-profile-action', 'Profile Validation', 'Checks name and e-mail address', mayBeOff),
  provider('registration-recaptcha-action', 'Recaptcha', 'Keeps programs from signing up', mayBeOff, true),
  provider('registration-user-creation', 'Registration User Creation', 'Creates the user', mayBeOff),
];

const all = new Map(
  [...authenticators, ...clientAuthenticators, ...formProviders, ...formActions].map((entry) => [entry.id, entry]),
);

/** The provider of a step, or undefined for one that this server does not know. */
export const providerById = (id: string): AuthenticatorProvider | undefined => all.get(id);

/** The providers that steps of a flow of this kind can have. */
export function providersFor(flowKind: string): readonly AuthenticatorProvider[] {
  if (flowKind === 'form-flow') return formActions;
  return flowKind === 'client-flow' ? clientAuthenticators : authenticators;
}

/** The provider with settings of its own, if it is of a kind that can have any: pages of forms cannot. */
export const providerWithSettings = (id: string): AuthenticatorProvider | undefined =>
  formProviders.some((page) => page.id === id) ? undefined : all.get(id);

/** What a step is to be at first: switched off, where its provider can be. */
export const firstRequirement = ({ requirementChoices }: AuthenticatorProvider): Requirement =>
  requirementChoices.includes('DISABLED') ? 'DISABLED' : (requirementChoices[0] ?? 'DISABLED');

/** Requirements that a step may have which runs a flow of the given kind. */
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
