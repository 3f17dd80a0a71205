import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';

const unprefixed = /^\/(realms|admin|resources)(?=[/?]|$)/;

/** The path that a request was sent to, where the service knows it by another one. */
const sentTo = new WeakMap<IncomingMessage, string>();

/**
 * Has a request without the prefix `/auth` answered as if it had the prefix, which all paths in the service have. Returns whether
 * `ADDRESS_PREFIX` allows the address of the request.
 */
export function acceptPrefix(message: IncomingMessage, { addressPrefix }: Pick<Config, 'addressPrefix'>): boolean {
  const { url = '/' } = message;
  if (/^\/auth(?=[/?]|$)/.test(url)) return addressPrefix.includes('/auth') || url === '/auth/openapi.json';
  if (!unprefixed.test(url)) return true;
  if (!addressPrefix.includes('')) return true;
  sentTo.set(message, url);
  message.url = `/auth${url}`;
  return true;
}

/** The path and query that a request was sent to. */
export const sentPath = (message: IncomingMessage): string => sentTo.get(message) ?? message.url ?? '/';
