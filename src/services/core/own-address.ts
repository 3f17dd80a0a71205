import type { Config } from '../../config/config.js';
import { nearby } from '../../config/networks.js';

type Configured = Pick<Config, 'publicUrl' | 'hosts'>;

/** The host of an address, without brackets and port. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');

/**
 * Whether the address under which a request reached the server may leave it, in mails and in requests to others. The Host
 * header of a request is what its sender writes: a link made of it could lead anywhere. It counts if PUBLIC_URL or HOSTS
 * says so, and if it leads to this machine or into a private network.
 */
export function isOwnAddress({ publicUrl, hosts }: Configured, baseUrl: string): boolean {
  if (publicUrl) return true;
  const host = hostOf(baseUrl);
  const isLocal = nearby.hasAddress(host) || /(^|\.)localhost\.?$/i.test(host);
  return isLocal || hosts?.hasAddress(host) === true || hosts?.hasName(host) === true;
}

/** Says which setting is missing for a link to the host of a request. */
export const noOwnAddress = (baseUrl: string): string =>
  `A link for the host ${hostOf(baseUrl)} requires the setting PUBLIC_URL or HOSTS`;
