import { type LookupAddress, lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that are not of the public internet (IANA special-purpose registries, RFC 6890), by family. */
const special = {
  ipv4: [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  ],
  // with the forms that carry an IPv4 address along
  ipv6: ['::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 ff00::/8'],
} as const;

const blocked = new BlockList();
for (const family of ['ipv4', 'ipv6'] as const) {
  for (const subnet of special[family].join(' ').split(' ')) {
    const [network = '', bits] = subnet.split('/');
    blocked.addSubnet(network, Number(bits), family);
  }
}

const isPrivate = (address: string): boolean => blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A name or address that leads into the operator's own network. */
export class PrivateAddress extends Error {
  constructor() {
    super('The address is not a public one');
    this.name = 'PrivateAddress';
  }
}

/** Whether the host of an address is written as one that is not public. What names lead to is seen when they are used. */
export function namesPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 ? isPrivate(host) : /(^|\.)localhost\.?$/i.test(host);
}

/**
 * Resolves a name for a connection, and fails when any of its addresses is not public. The connection goes to what was
 * looked at here: another answer to the same question comes too late.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new Error('no address'), '', 0);
    if (addresses.some(({ address }) => isPrivate(address))) return callback(new PrivateAddress(), '', 0);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
