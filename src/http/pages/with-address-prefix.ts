import type { Config } from '../../config/config.js';
import type { Answer } from '../answer.js';

/** A page that tells its scripts the prefix of the addresses, which is `/auth` for a page that does not. */
export function withAddressPrefix(answer: Answer, { addressPrefix: [prefix] }: Pick<Config, 'addressPrefix'>): Answer {
  const { body, type } = answer;
  if (prefix === '/auth' || !type?.startsWith('text/html')) return answer;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return answer;
  return {
    ...answer,
    body: body.toString().replace('<html lang="en"', `<html lang="en" data-address-prefix="${prefix}"`),
  };
}
