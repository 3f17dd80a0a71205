/** The required actions that this server performs, as the contract names them. */
const actionNames = [
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'CONFIGURE_TOTP',
  'UPDATE_PASSWORD',
  'UPDATE_PROFILE',
  'VERIFY_EMAIL',
  'delete_account',
  'terms_and_conditions',
  'webauthn-register',
  'webauthn-register-passwordless',
] as const;

const performed: ReadonlySet<string> = new Set(actionNames);

/** The name of an action as this version has it: later ones write one of them otherwise. */
export const presentName = (action: string): string =>
  action === 'TERMS_AND_CONDITIONS' ? 'terms_and_conditions' : action;

/** Whether this server performs a required action, by whichever of its names. */
export const isPerformed = (action: string): boolean => performed.has(presentName(action));

/** The name of a required action. */
export type ActionName = (typeof actionNames)[number];
