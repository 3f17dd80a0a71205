/** The required actions that this server performs, as the contract names them. */
export const actionNames = [
  'CONFIGURE_TOTP',
  'UPDATE_PASSWORD',
  'UPDATE_PROFILE',
  'VERIFY_EMAIL',
  'terms_and_conditions',
] as const;

/** The name of a required action. */
export type ActionName = (typeof actionNames)[number];
