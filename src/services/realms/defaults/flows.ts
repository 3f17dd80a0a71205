import type { ExecutionExportInput, FlowInput } from '../../authentication/representation.js';

type DefaultFlow = FlowInput & { alias: string; authenticationExecutions: ExecutionExportInput[] };

const step = (
  authenticator: string,
  requirement: string,
  priority: number,
  authenticatorConfig?: string,
): ExecutionExportInput => ({
  authenticator,
  requirement,
  priority,
  ...(authenticatorConfig !== undefined && { authenticatorConfig }),
});
const into = (flowAlias: string, requirement: string, priority: number): ExecutionExportInput => ({
  flowAlias,
  requirement,
  priority,
});

const subflow = (
  alias: string,
  description: string,
  ...authenticationExecutions: ExecutionExportInput[]
): DefaultFlow => ({
  alias,
  description,
  providerId: 'basic-flow',
  topLevel: false,
  builtIn: true,
  authenticationExecutions,
});
const flow = (alias: string, description: string, ...steps: ExecutionExportInput[]): DefaultFlow => ({
  ...subflow(alias, description, ...steps),
  topLevel: true,
});

const whenConfigured = (authenticator: string) => [
  step('conditional-user-configured', 'REQUIRED', 10),
  step(authenticator, 'REQUIRED', 20),
];

/** The flow for SAML clients that are no browsers. It exists, but is not in the list of flows. */
export const samlEcpFlow = 'saml ecp';
export const firstBrokerLoginFlow = 'first broker login';

/** Configurations that built-in flows refer to by alias. */
export const defaultAuthenticatorConfigs: readonly { alias: string; config: Record<string, string> }[] = [
  { alias: 'review profile config', config: { 'update.profile.on.first.login': 'missing' } },
  { alias: 'create unique user config', config: { 'require.password.update.after.registration': 'false' } },
];

/** The built-in flows, each top-level flow followed by the subflows that only it uses. */
export const defaultFlows: readonly DefaultFlow[] = [
  flow(
    'browser',
    'Login in the browser: cookie, Kerberos, identity provider, or form',
    step('auth-cookie', 'ALTERNATIVE', 10),
    step('auth-spnego', 'DISABLED', 20),
    step('identity-provider-redirector', 'ALTERNATIVE', 25),
    into('forms', 'ALTERNATIVE', 30),
  ),
  subflow(
    'forms',
    'Username, password, and a one-time password if configured',
    step('auth-username-password-form', 'REQUIRED', 10),
    into('Browser - Conditional OTP', 'CONDITIONAL', 20),
  ),
  subflow(
    'Browser - Conditional OTP',
    'One-time password in the browser if the user has a device',
    ...whenConfigured('auth-otp-form'),
  ),
  flow(
    'direct grant',
    'Resource owner password credentials grant',
    step('direct-grant-validate-username', 'REQUIRED', 10),
    step('direct-grant-validate-password', 'REQUIRED', 20),
    into('Direct Grant - Conditional OTP', 'CONDITIONAL', 30),
  ),
  subflow(
    'Direct Grant - Conditional OTP',
    'One-time password in a direct grant if the user has a device',
    ...whenConfigured('direct-grant-validate-otp'),
  ),
  flow('registration', 'Registration of new users', {
    ...step('registration-page-form', 'REQUIRED', 10),
    flowAlias: 'registration form',
  }),
  {
    ...subflow(
      'registration form',
      'Registration page for new users',
      step('registration-user-creation', 'REQUIRED', 20),
      step('registration-profile-action', 'REQUIRED', 40),
      step('registration-password-action', 'REQUIRED', 50),
      step('registration-recaptcha-action', 'DISABLED', 60),
    ),
    providerId: 'form-flow',
  },
  flow(
    'reset credentials',
    'Reset of a forgotten password or lost device',
    step('reset-credentials-choose-user', 'REQUIRED', 10),
    step('reset-credential-email', 'REQUIRED', 20),
    step('reset-password', 'REQUIRED', 30),
    into('Reset - Conditional OTP', 'CONDITIONAL', 40),
  ),
  subflow(
    'Reset - Conditional OTP',
    'Reset of the one-time password device if the user has one',
    ...whenConfigured('reset-otp'),
  ),
  {
    ...flow(
      'clients',
      'Authentication of clients',
      step('client-secret', 'ALTERNATIVE', 10),
      step('client-jwt', 'ALTERNATIVE', 20),
      step('client-secret-jwt', 'ALTERNATIVE', 30),
      step('client-x509', 'ALTERNATIVE', 40),
    ),
    providerId: 'client-flow',
  },
  flow(
    firstBrokerLoginFlow,
    'First login with an identity provider, before an account is linked',
    step('idp-review-profile', 'REQUIRED', 10, 'review profile config'),
    into('User creation or linking', 'REQUIRED', 20),
  ),
  subflow(
    'User creation or linking',
    'Creates the user, or links an existing account',
    step('idp-create-user-if-unique', 'ALTERNATIVE', 10, 'create unique user config'),
    into('Handle Existing Account', 'ALTERNATIVE', 20),
  ),
  subflow(
    'Handle Existing Account',
    'Handles an existing account with the same username or email address',
    step('idp-confirm-link', 'REQUIRED', 10),
    into('Account verification options', 'REQUIRED', 20),
  ),
  subflow(
    'Account verification options',
    'Ways to verify the ownership of the existing account',
    step('idp-email-verification', 'ALTERNATIVE', 10),
    into('Verify Existing Account by Re-authentication', 'ALTERNATIVE', 20),
  ),
  subflow(
    'Verify Existing Account by Re-authentication',
    'Verification by logging in to the existing account',
    step('idp-username-password-form', 'REQUIRED', 10),
    into('First broker login - Conditional OTP', 'CONDITIONAL', 20),
  ),
  subflow(
    'First broker login - Conditional OTP',
    'One-time password before linking if the user has a device',
    ...whenConfigured('auth-otp-form'),
  ),
  flow(
    samlEcpFlow,
    'Login of SAML clients that are not browsers (ECP)',
    step('http-basic-authenticator', 'REQUIRED', 10),
  ),
  flow('docker auth', 'Login to a Docker registry', step('docker-http-basic-authenticator', 'REQUIRED', 10)),
  flow(
    'http challenge',
    'Login with HTTP authentication schemes',
    step('no-cookie-redirect', 'REQUIRED', 10),
    into('Authentication Options', 'REQUIRED', 20),
  ),
  subflow(
    'Authentication Options',
    'Allowed authentication schemes',
    step('basic-auth', 'REQUIRED', 10),
    step('basic-auth-otp', 'DISABLED', 20),
    step('auth-spnego', 'DISABLED', 30),
  ),
];
