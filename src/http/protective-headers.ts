import type { Answer } from './answer.js';
import { contentPolicy } from './content-policy.js';

type Headers = Record<string, string | number | string[]>;

/** Whether browsers show an answer of this media type as a page. */
const isPage = (type: string): boolean => /^(text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i.test(type);

/** What a page without a policy of its own may do: show its text and its own styles. */
const plainPolicy = contentPolicy({ 'style-src': "'unsafe-inline'" });

function cacheControl(isPublic: Answer['public']): string {
  if (isPublic === 'immutable') return 'public, max-age=31536000, immutable';
  return isPublic ? 'no-cache' : 'no-store';
}

/**
 * The headers of an answer, each name once and in small letters. Every answer may hold a token or a secret, so caches keep
 * none unless the answer says that everybody may read it (`public`).
 */
export function protectiveHeaders(answer: Pick<Answer, 'headers' | 'type' | 'public'>): Headers {
  const headers: Headers = { 'x-content-type-options': 'nosniff' };
  if (isPage(answer.type ?? '')) {
    headers['referrer-policy'] = 'no-referrer';
    headers['content-security-policy'] = plainPolicy;
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers[name.toLowerCase()] = value;
  headers['cache-control'] = cacheControl(answer.public);
  return headers;
}
