import { Refusal } from '../core/refusal.js';
import { oauthError } from '../tokens/oauth-error.js';

/** The refusal of a token, or of one that is missing (RFC 6750 section 3.1). */
export const unauthorized = (text: string, event = 'invalid_token'): Refusal =>
  oauthError(401, 'invalid_token', text, event);

/** The refusal of a request that the token or a policy of the realm does not allow. */
export const notAllowed = (text = 'Forbidden'): Refusal => oauthError(403, 'insufficient_scope', text, 'not_allowed');

/** The refusal for a missing client, for callers with permission to know. */
export const noClient = (): Refusal =>
  new Refusal('notFound', 'Client not found', {
    body: { error: 'invalid_request', error_description: 'Client not found' },
    event: 'client_not_found',
  });

/** The refusal of invalid client metadata, RFC 7591 section 3.2.2. `field` is that of ClientRepresentation. */
export const badMetadata = (text: string, field?: string): Refusal =>
  new Refusal('invalid', text, {
    status: 400,
    body: {
      error: field === 'redirectUris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      error_description: text,
    },
    ...(field !== undefined && { field }),
  });

/** Converts the refusal of a client to the form of RFC 7591; any other error is unchanged. */
export function asMetadataFault(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const { kind, message, details } = error;
  const isOwn = details.body && details.body.error !== 'invalid_input';
  return !isOwn && (kind === 'invalid' || kind === 'conflict') ? badMetadata(message, details.field) : error;
}
