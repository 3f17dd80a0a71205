import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';

const unprefixed = /^\/(realms|admin|resources)(?=[/?]|$)/;

/**
 * Has a request without the prefix `/auth` answered as if it had the prefix, which all paths in the service have. Returns whether
 * `ADDRESS_PREFIX` allows the address of the request.
 */
export function acceptPrefix(message: IncomingMessage, { addressPrefix }: Pick<Config, 'addressPrefix'>): boolean {
  const { url = '/' } = message;
  if (/^\/auth(?=[/?]|$)/.test(url)) return addressPrefix.includes('/auth') || url === '/auth/openapi.json';
  if (!unprefixed.test(url)) return true;
  if (!addressPrefix.includes('')) return true;
  message.url = `/auth${url}`;
  return true;
}
