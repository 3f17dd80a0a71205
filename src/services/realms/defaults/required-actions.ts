/** A required action that the server supports. `priority` is missing for actions that a new realm does not have. */
export interface KnownRequiredAction {
  alias: string;
  name: string;
  enabled?: boolean;
  priority?: number;
}

export const requiredActions: readonly KnownRequiredAction[] = [
  { alias: 'CONFIGURE_TOTP', name: 'Configure OTP', priority: 10 },
  { alias: 'terms_and_conditions', name: 'Terms and Conditions', priority: 20, enabled: false },
  { alias: 'UPDATE_PASSWORD', name: 'Update Password', priority: 30 },
  { alias: 'UPDATE_PROFILE', name: 'Update Profile', priority: 40 },
  { alias: 'VERIFY_EMAIL', name: 'Verify Email', priority: 50 },
  { alias: 'delete_account', name: 'Delete Account', priority: 60, enabled: false },
  { alias: 'update_user_locale', name: 'Update User Locale', priority: 1000 },
  { alias: 'VERIFY_PROFILE', name: 'Verify Profile' },
  { alias: 'webauthn-register', name: 'Webauthn Register' },
  { alias: 'webauthn-register-passwordless', name: 'Webauthn Register Passwordless' },
];

/** Required actions of newer versions of Keycloak: realms can register them, and the list of the contract does not have them. */
export const newerRequiredActions: readonly KnownRequiredAction[] = [
  { alias: 'CONFIGURE_RECOVERY_AUTHN_CODES', name: 'Recovery Authentication Codes' },
];
