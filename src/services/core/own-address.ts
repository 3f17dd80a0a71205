import type { Config } from '../../config/config.js';
import { nearby } from '../../config/networks.js';

type Configured = Pick<Config, 'publicUrl' | 'hosts'>;

/** The host of an address, without brackets and port. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');

/**
 * Whether the address of a request may be used in mails and in requests to other servers. The sender of a request
 * chooses its Host header, so a link made from it could lead anywhere. The address is accepted if PUBLIC_URL or HOSTS
 * names it, and if it leads to this machine or into a private network.
 */
export function isOwnAddress({ publicUrl, hosts }: Configured, baseUrl: string): boolean {
  if (publicUrl) return true;
  const host = hostOf(baseUrl);
  const isLocal = nearby.hasAddress(host) || /(^|\.)localhost\.?$/i.test(host);
  return isLocal || hosts?.hasAddress(host) === true || hosts?.hasName(host) === true;
}

/** A message about the missing setting for links to the host of a request. */
export const noOwnAddress = (baseUrl: string): string =>
  `A link for the host ${hostOf(baseUrl)} requires the setting PUBLIC_URL or HOSTS`;
