import { Refusal, type RefusalKind } from '../core/refusal.js';

const kinds: Record<number, RefusalKind | undefined> = { 401: 'unauthenticated', 403: 'forbidden' };

/** An error answer of the token endpoint, RFC 6749 section 5.2. */
export const oauthError = (status: number, error: string, description: string): Refusal =>
  new Refusal(kinds[status] ?? 'invalid', description, { status, body: { error, error_description: description } });

/** The refusal of a token or of what it stands for. */
export const invalidGrant = (description: string): Refusal => oauthError(400, 'invalid_grant', description);

/** The refusal of a user's name or password; the same for both, so that it does not tell which users exist. */
export const invalidCredentials = (): Refusal => oauthError(401, 'invalid_grant', 'Invalid user credentials');
