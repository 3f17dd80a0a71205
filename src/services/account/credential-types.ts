import { passwordHistory } from '../users/store.js';

/** A type of credentials, with the names that the account API of the contract has for it. */
export interface CredentialType {
  type: string;
  category: 'basic-authentication' | 'two-factor' | 'passwordless';
  displayName: string;
  helptext: string;
  iconCssClass: string;
  /** required action that adds one */
  createAction?: string;
  /** required action that replaces the only one */
  updateAction?: string;
  removeable: boolean;
  /** authenticators that ask for one */
  authenticators: readonly string[];
}

/** The types of credentials that users can have, in the order in which they are listed. */
export const credentialTypes: readonly CredentialType[] = [
  {
    type: 'password',
    category: 'basic-authentication',
    displayName: 'password-display-name',
    helptext: 'password-help-text',
    iconCssClass: 'kcAuthenticatorPasswordClass',
    updateAction: 'UPDATE_PASSWORD',
    removeable: false,
    authenticators: ['auth-username-password-form', 'auth-password-form'],
  },
  {
    type: 'otp',
    category: 'two-factor',
    displayName: 'otp-display-name',
    helptext: 'otp-help-text',
    iconCssClass: 'kcAuthenticatorOTPClass',
    createAction: 'CONFIGURE_TOTP',
    removeable: true,
    authenticators: ['auth-otp-form', 'auth-conditional-otp-form', 'direct-grant-validate-otp', 'reset-otp'],
  },
  {
    type: 'webauthn',
    category: 'two-factor',
    displayName: 'webauthn-display-name',
    helptext: 'webauthn-help-text',
    iconCssClass: 'kcAuthenticatorWebAuthnClass',
    createAction: 'webauthn-register',
    removeable: true,
    authenticators: ['webauthn-authenticator'],
  },
  {
    type: 'recovery-authn-codes',
    category: 'two-factor',
    displayName: 'recovery-authn-codes-display-name',
    helptext: 'recovery-authn-codes-help-text',
    iconCssClass: 'kcAuthenticatorRecoveryAuthnCodesClass',
    createAction: 'CONFIGURE_RECOVERY_AUTHN_CODES',
    removeable: true,
    authenticators: ['auth-recovery-authn-code-form'],
  },
  {
    type: 'webauthn-passwordless',
    category: 'passwordless',
    displayName: 'webauthn-passwordless-display-name',
    helptext: 'webauthn-passwordless-help-text',
    iconCssClass: 'kcAuthenticatorWebAuthnPasswordlessClass',
    createAction: 'webauthn-register-passwordless',
    removeable: true,
    authenticators: ['webauthn-authenticator-passwordless'],
  },
];

/** The type of a credential; undefined for types that users do not see. */
export const credentialType = (type: string): CredentialType | undefined =>
  type === passwordHistory ? undefined : credentialTypes.find((known) => known.type === type);
