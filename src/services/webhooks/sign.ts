import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret, as the Standard Webhooks specification writes them: the prefix and 32 random bytes in base64. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/**
 * The value of webhook-signature: for each secret `v1,` and the HMAC-SHA256 of ID, timestamp (seconds since 1970) and
 * body with dots in between.
 */
export function signatures(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64')).update(content))
    .map((hmac) => `v1,${hmac.digest('base64')}`)
    .join(' ');
}
