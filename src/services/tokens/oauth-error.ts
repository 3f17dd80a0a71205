import type { Guessed } from '../core/failed-attempts.js';
import { Refusal, type RefusalKind } from '../core/refusal.js';

const kinds: Record<number, RefusalKind | undefined> = { 401: 'unauthenticated', 403: 'forbidden' };

/** An error answer of the token endpoint, RFC 6749 section 5.2. `event` is what the login event calls the error. */
export const oauthError = (
  status: number,
  error: string,
  description: string,
  event = error,
  guessed?: Guessed,
): Refusal =>
  new Refusal(kinds[status] ?? 'invalid', description, {
    status,
    body: { error, error_description: description },
    event,
    ...(guessed && { guessed }),
  });

/** The refusal of a token or of what it stands for. */
export const invalidGrant = (description: string, event = 'invalid_token'): Refusal =>
  oauthError(400, 'invalid_grant', description, event);

/**
 * The refusal of a user's name or password; the answer is the same for both, so that it does not tell which users exist.
 */
export const invalidCredentials = (event = 'invalid_user_credentials', guessed: Guessed = 'user'): Refusal =>
  oauthError(401, 'invalid_grant', 'Invalid user credentials', event, guessed);
