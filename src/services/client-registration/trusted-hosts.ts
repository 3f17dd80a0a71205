import { lookup, reverse } from 'node:dns/promises';
import type { ClientInput } from '../clients/representation.js';

/** The trusted names and addresses of hosts, and the domains, which begin with a dot. */
interface Trusted {
  hosts: readonly string[];
  domains: readonly string[];
}

/** Parses the entries of the policy; one that begins with `*.` stands for all hosts of a domain. */
export const trustedOf = (entries: readonly string[]): Trusted => ({
  hosts: entries.filter((entry) => !entry.startsWith('*.')),
  domains: entries.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1)),
});

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** Whether requests from an address are trusted: it is that of a trusted host, or of a host in a trusted domain. */
export async function trustsSender({ hosts, domains }: Trusted, address: string): Promise<boolean> {
  if (hosts.includes(address)) return true;
  const resolved = await Promise.all(hosts.map(addressesOf));
  if (resolved.some((addresses) => addresses.includes(address))) return true;
  if (domains.length === 0) return false;
  // the owner of an address can give it any name: the name must resolve to the address
  const names = (await reverse(address).catch(() => [])).filter((name) =>
    domains.some((domain) => name.toLowerCase().endsWith(domain.toLowerCase())),
  );
  const back = await Promise.all(names.map(addressesOf));
  return back.some((addresses) => addresses.includes(address));
}

function hostOf(address: string): string | undefined {
  try {
    // a wildcard at the end stands for any rest of the address; the host comes before it
    return new URL(address).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  } catch {
    return undefined;
  }
}

/** The reason why an address of a client is not trusted; undefined if it is. */
function objectionTo({ hosts, domains }: Trusted, address: string): string | undefined {
  const host = hostOf(address);
  if (host === undefined) return 'Malformed URL';
  const isTrusted =
    hosts.some((trusted) => trusted.toLowerCase() === host) ||
    domains.some((domain) => host.endsWith(domain.toLowerCase()));
  return isTrusted ? undefined : "URL doesn't match any trusted host or trusted domain";
}

/**
 * The reason why one of the client's addresses is not trusted; undefined if all are. Paths are relative to the root of
 * the client.
 */
export function addressObjection(trusted: Trusted, client: ClientInput): string | undefined {
  const root = client.rootUrl ?? '';
  // an address that begins with two slashes leads to another host, RFC 3986 section 4.2
  const whole = (address: string) =>
    address.startsWith('//') ? `https:${address}` : address.startsWith('/') ? root + address : address;
  const afterLogout = (client.attributes?.['post.logout.redirect.uris'] ?? '').split('##');
  const named = [client.rootUrl, client.baseUrl, client.adminUrl, ...(client.redirectUris ?? []), ...afterLogout];
  for (const address of named) {
    // a path without a root belongs to this server; `+` stands for the redirect URIs, `-` for no address
    if (!address || address === '+' || address === '-' || whole(address).startsWith('/')) continue;
    const objection = objectionTo(trusted, whole(address));
    if (objection) return objection;
  }
  return undefined;
}
