import type { FetchPublic } from '../core/fetch-public.js';
import { isObject, members } from '../core/json.js';
import { filledAddress } from './kinds.js';
import type { BrokerProvider } from './provider.js';
import { type Upstream, UpstreamFailure } from './provider-context.js';
import { requiredAddress } from './provider-settings.js';

/** The profile of an account, which must be that of the subject of an ID token. Throws `UpstreamFailure`. */
export async function profileFrom(
  { fetchPublic }: Upstream,
  provider: BrokerProvider,
  token: string,
  subject: string | undefined,
): Promise<Record<string, unknown>> {
  const { kind, settings } = provider;
  const url = new URL(requiredAddress(provider, 'userInfoUrl'));
  const inQuery = kind.profileParameters?.(token, settings);
  for (const [name, value] of Object.entries(inQuery ?? {})) url.searchParams.set(name, value);
  const profile = await jsonFrom(fetchPublic, url, inQuery ? undefined : token);
  if (!isObject(profile)) throw new UpstreamFailure('the profile is no object');
  // OpenID Connect Core section 5.3.2
  if (subject !== undefined && profile.sub !== subject) throw new UpstreamFailure('the profile is of another user');
  return profile;
}

async function jsonFrom(fetchPublic: FetchPublic, url: URL, token: string | undefined): Promise<unknown> {
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetchPublic(url, { headers });
  if (!response.ok) throw new UpstreamFailure(`the profile was refused with ${response.status}`);
  try {
    return await response.json();
  } catch {
    throw new UpstreamFailure('the profile is no JSON');
  }
}

/** The primary address of the account among those of a list. */
export async function addressFrom(
  { fetchPublic }: Upstream,
  { kind, settings }: BrokerProvider,
  token: string,
  known: string | undefined,
): Promise<{ email: string | undefined; isVerified: boolean }> {
  const found = await jsonFrom(fetchPublic, new URL(filledAddress(kind.emailsUrl ?? '', settings)), token).catch(
    (): unknown => [],
  );
  const list = (Array.isArray(found) ? found : [members(found).values].flat()).map(members);
  const chosen = list.find(({ primary, is_primary }) => primary === true || is_primary === true);
  if (typeof chosen?.email !== 'string') return { email: known, isVerified: false };
  return { email: chosen.email, isVerified: chosen.verified === true || chosen.is_confirmed === true };
}

/** Refuses an account of Google outside of the domain that the administrator has entered. */
export function requireHostedDomain({ providerId, settings }: BrokerProvider, claims: readonly unknown[]): void {
  const domain = settings.hostedDomain?.trim();
  if (providerId !== 'google' || !domain) return;
  const { hd } = members(claims[0]);
  if (typeof hd !== 'string' || (domain !== '*' && domain !== hd))
    throw new UpstreamFailure('the account is of another domain');
}
