import { BlockList, isIP } from 'node:net';

/** A set of IP addresses and of host names. */
export interface Networks {
  /** Whether an address belongs to one of the networks. False for a text that is no address. */
  hasAddress(address: string): boolean;
  /** Whether a host name is listed. */
  hasName(name: string): boolean;
}

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** An address without brackets and without the zone that follows `%`. */
const plainAddress = (text: string): string => text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');

/** A host name in the form in which names are compared. */
const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether a text is a host name, not an address. */
const isHostName = (text: string): boolean => isIP(plainAddress(text)) === 0 && hostName.test(plainName(text));

/** Reads IP addresses, CIDRs such as `10.0.0.0/8`, and host names. Undefined if a text is none of these. */
export function networksOf(texts: readonly string[]): Networks | undefined {
  const addresses = new BlockList();
  const names = new Set<string>();
  for (const text of texts) {
    const [start = '', bits, ...rest] = text.split('/');
    const address = plainAddress(start);
    const length = isIP(address) === 6 ? 128 : 32;
    if (rest.length > 0) return undefined;
    if (isIP(address) > 0) {
      if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= length)) return undefined;
      addresses.addSubnet(address, bits === undefined ? length : Number(bits), familyOf(address));
    } else if (bits === undefined && isHostName(start)) names.add(plainName(start));
    else return undefined;
  }
  return {
    hasAddress: (text) => {
      const address = plainAddress(text);
      return isIP(address) > 0 && addresses.check(address, familyOf(address));
    },
    hasName: (name) => names.has(plainName(name)),
  };
}

/** Addresses of this machine and of private networks. */
export const nearby = networksOf([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '0.0.0.0',
  '::1',
  '::',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
]) as Networks;
