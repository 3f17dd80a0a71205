import { nearby } from '../../config/networks.js';
import type { RealmRecord } from '../core/realm.js';

/** Whether an address belongs to this machine or a private network. */
export const isNearby = (address: string): boolean => nearby.hasAddress(address);

/** Whether a realm refuses a request that did not come by TLS: all of them, or those from outside. */
export function refusesPlain(
  { settings }: Pick<RealmRecord, 'settings'>,
  { baseUrl, ipAddress }: { baseUrl: string; ipAddress: string },
): boolean {
  if (baseUrl.startsWith('https:')) return false;
  const demand = String(settings.sslRequired ?? 'external').toLowerCase();
  return demand === 'all' || (demand === 'external' && !isNearby(ipAddress));
}
