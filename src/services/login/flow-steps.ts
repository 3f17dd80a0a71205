import type { ActionName } from './action-names.js';

/** Purposes of the flows of a realm. */
export type FlowPurpose = 'browser' | 'direct' | 'docker' | 'reset' | 'registration';

/** Purposes of the flows that an identity provider names. */
export type BrokerFlowPurpose = 'firstBroker' | 'postBroker';

const browserForms = [
  'auth-username-password-form',
  'auth-username-form',
  'auth-password-form',
  'auth-otp-form',
  'webauthn-authenticator',
  'webauthn-authenticator-passwordless',
  'auth-recovery-authn-code-form',
  'auth-x509-client-username-form',
] as const;
const resetForms = ['reset-credentials-choose-user', 'reset-credential-email'] as const;
const directForms = [
  'direct-grant-validate-username',
  'direct-grant-validate-password',
  'direct-grant-validate-otp',
  'direct-grant-auth-x509-username',
] as const;

/** The step that takes name and password of a user at a Docker registry. */
export const dockerStep = 'docker-http-basic-authenticator';

const brokerSteps = [
  'idp-review-profile',
  'idp-create-user-if-unique',
  'idp-detect-existing-broker-user',
  'idp-auto-link',
  'idp-confirm-link',
  'idp-email-verification',
  'idp-username-password-form',
] as const;

/** A step of the first login with an identity provider. It may be taken without a page. */
export type BrokerStep = (typeof brokerSteps)[number];

/** A step that takes what the user typed. */
export type FormStep =
  | (typeof browserForms)[number]
  | BrokerStep
  | (typeof resetForms)[number]
  | (typeof directForms)[number]
  | typeof dockerStep
  | 'registration-page-form';

/** The forms of a flow for lost passwords. */
export const resetSteps: ReadonlySet<string> = new Set([...resetForms, 'auth-otp-form']);
/** The steps of the flows for each purpose that take what somebody typed or sent. */
export const formSteps: Readonly<Record<FlowPurpose | BrokerFlowPurpose, ReadonlySet<string>>> = {
  browser: new Set(browserForms),
  reset: resetSteps,
  registration: new Set(['registration-page-form']),
  direct: new Set(directForms),
  docker: new Set([dockerStep]),
  firstBroker: new Set([
    ...brokerSteps,
    'auth-otp-form',
    'auth-password-form',
    'auth-recovery-authn-code-form',
    'webauthn-authenticator',
  ]),
  postBroker: new Set(browserForms),
};

const isBrokerSteps: ReadonlySet<string> = new Set(brokerSteps);

/** Whether a step belongs to the first login with an identity provider. */
export const isBrokerStep = (step: FormStep): step is BrokerStep => isBrokerSteps.has(step);

/** The step that identifies users by the certificate of the connection. */
export const byCertificate = 'auth-x509-client-username-form';

/** The step by which users log in with a passkey, without a name and a password. */
export const byPasskey = 'webauthn-authenticator-passwordless';

/** Type of the credential with the recovery codes of a user. */
export const recoveryCodes = 'recovery-authn-codes';

/** The step that asks for a one-time code, or does not, by its settings. */
export const conditionalOtp = 'auth-conditional-otp-form';

/** Steps that are for users with a device. */
export const deviceSteps: ReadonlyMap<string, { type: string; action: ActionName }> = new Map([
  ['auth-otp-form', { type: 'otp', action: 'CONFIGURE_TOTP' }],
  [conditionalOtp, { type: 'otp', action: 'CONFIGURE_TOTP' }],
  ['direct-grant-validate-otp', { type: 'otp', action: 'CONFIGURE_TOTP' }],
  ['reset-otp', { type: 'otp', action: 'CONFIGURE_TOTP' }],
  ['auth-recovery-authn-code-form', { type: recoveryCodes, action: 'CONFIGURE_RECOVERY_AUTHN_CODES' }],
  ['webauthn-authenticator', { type: 'webauthn', action: 'webauthn-register' }],
  ['webauthn-authenticator-passwordless', { type: 'webauthn-passwordless', action: 'webauthn-register-passwordless' }],
]);
/** Steps for members of organizations, which newer versions of Keycloak have in each realm: nobody is one here. */
export const organizationSteps: ReadonlySet<string> = new Set(['organization', 'idp-add-organization-member']);
/** The condition of newer versions of Keycloak for what the user has logged in with. */
export const byCredential = 'conditional-credential';
/** The condition of newer versions for the level of authentication that a client asks for. */
export const byLevel = 'conditional-level-of-authentication';
