import { members } from '../core/json.js';

interface Client {
  protocol: string | null;
  frontchannelLogout: boolean;
  attributes: unknown;
}

/** Maximum clients in frames of a logout page. */
const mostFrames = 50;

/** A host that the content security policy of a page can name: others could add directives to it. */
const plainHost = /^[\w.:[\]-]+$/;

/**
 * The URL of a client that the logout page loads (OpenID Connect Front-Channel Logout 1.0 section 2); undefined if the
 * client needs none.
 */
export function frontChannelUrl({ protocol, frontchannelLogout, attributes }: Client): string | undefined {
  const url = members(attributes)['frontchannel.logout.url'];
  if (!frontchannelLogout || protocol === 'saml' || typeof url !== 'string') return undefined;
  return /^https?:\/\//i.test(url) && URL.canParse(url) && plainHost.test(new URL(url).host) ? url : undefined;
}

/** The addresses that the page of a logout loads, sorted, with issuer and session for clients that need them (section 3). */
export const frontChannelAddresses = (parts: readonly { client: Client; sid: string }[], issuer: string): string[] =>
  parts
    .flatMap(({ client, sid }) => {
      const url = frontChannelUrl(client);
      if (url === undefined) return [];
      const address = new URL(url);
      if (members(client.attributes)['frontchannel.logout.session.required'] !== 'false') {
        address.searchParams.set('iss', issuer);
        address.searchParams.set('sid', sid);
      }
      return [address.href];
    })
    .sort()
    .slice(0, mostFrames);
