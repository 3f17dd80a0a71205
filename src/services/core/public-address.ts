import { type LookupAddress, lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Networks, networksOf } from '../../config/networks.js';

/** Addresses that are not of the public internet (IANA special-purpose registries, RFC 6890), by family. */
const special = networksOf(
  [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
    // including the forms that contain an IPv4 address
    '::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16',
    '3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
  ].flatMap((line) => line.split(' ')),
) as Networks;

/** The error for a name or address inside the operator's network. */
export class PrivateAddress extends Error {
  constructor() {
    super('The address must be public');
    this.name = 'PrivateAddress';
  }
}

/** Allowed targets of requests besides the public internet: networks and hosts that the operator lists. */
export type Allowed = Networks | undefined;

const isForbidden = (address: string, allowed: Allowed): boolean =>
  special.hasAddress(address) && allowed?.hasAddress(address) !== true;

/** The host of an address, without brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Refuses an address with a host that is written as a private one. The targets of names are checked when they are used.
 */
export function requirePublicHost(address: URL, allowed: Allowed): void {
  const host = hostOf(address);
  if (allowed?.hasName(host)) return;
  const isLocalName = /(^|\.)localhost\.?$/i.test(host);
  const isPrivate = isIP(host) > 0 ? isForbidden(host, allowed) : isLocalName;
  if (isPrivate) throw new PrivateAddress();
}

/**
 * Resolves a name for a connection, and fails if one of its addresses is private. The connection goes to the checked
 * address: the name is not resolved a second time.
 */
export const lookupPublic =
  (allowed: Allowed): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), '', 0);
      const isPrivate = addresses.some(({ address }) => isForbidden(address, allowed));
      if (isPrivate && !allowed?.hasName(hostname)) return callback(new PrivateAddress(), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
