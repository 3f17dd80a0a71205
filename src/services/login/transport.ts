import { BlockList, isIP } from 'node:net';
import type { RealmRecord } from '../realms/record.js';

const nearby = new BlockList();
nearby.addSubnet('127.0.0.0', 8);
nearby.addSubnet('10.0.0.0', 8);
nearby.addSubnet('172.16.0.0', 12);
nearby.addSubnet('192.168.0.0', 16);
nearby.addAddress('0.0.0.0');
nearby.addAddress('::1', 'ipv6');
nearby.addAddress('::', 'ipv6');
nearby.addSubnet('fc00::', 7, 'ipv6');
nearby.addSubnet('fe80::', 10, 'ipv6');
nearby.addSubnet('fec0::', 10, 'ipv6');

/** Whether an address belongs to this machine or a private network. */
export function isNearby(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const version = isIP(plain);
  return version !== 0 && nearby.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a realm refuses a request that did not come by TLS: all of them, or those from outside. */
export function refusesPlain(
  { settings }: Pick<RealmRecord, 'settings'>,
  { baseUrl, ipAddress }: { baseUrl: string; ipAddress: string },
): boolean {
  if (baseUrl.startsWith('https:')) return false;
  const demand = String(settings.sslRequired ?? 'external').toLowerCase();
  return demand === 'all' || (demand === 'external' && !isNearby(ipAddress));
}
