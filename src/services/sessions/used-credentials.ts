/** The session note with the types of the credentials of its last login, separated by spaces. */
export const usedCredentialsNote = 'USED_CREDENTIALS';

/** Types of credentials that are more than a password. */
export const secondFactors: ReadonlySet<string> = new Set([
  'otp',
  'webauthn',
  'webauthn-passwordless',
  'recovery-authn-codes',
]);

/** Whether the last login of a session with these notes has shown more than a password. */
export const hasShownFactor = (notes: Readonly<Record<string, unknown>>): boolean =>
  String(notes[usedCredentialsNote] ?? '')
    .split(' ')
    .some((type) => secondFactors.has(type));
