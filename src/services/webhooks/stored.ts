import type { Config } from '../../config/config.js';
import { limit } from '../../config/limits.js';
import type { FetchSettings } from '../core/fetch-public.js';
import { PrivateAddress, requirePublicHost } from '../core/public-address.js';
import { invalid } from '../core/refusal.js';
import { storedTypes, typesIn, type WebhookInput, type WebhookRow } from './representation.js';

/** Maximum webhooks of one realm. */
export const mostOfRealm = limit('Objects', 'Webhooks of a realm', 50, 'webhooks');
const longest = { name: 255, url: 2000 };

/** The allowed addresses of webhooks. */
export const webhookPlaces = (config: Pick<Config, 'webhookPrivateAddresses' | 'fetchAllowedNetworks'>) => ({
  privateAddresses: config.webhookPrivateAddresses,
  allowed: config.fetchAllowedNetworks,
});

const publicOnly: FetchSettings = { privateAddresses: false };

function requirePlace(url: URL, { privateAddresses, allowed }: FetchSettings): void {
  if (privateAddresses) return;
  try {
    requirePublicHost(url, allowed);
  } catch (error) {
    throw error instanceof PrivateAddress ? invalid(error.message, 'url') : error;
  }
}

/** The URL to store. Refuses URLs to which nothing can be sent. */
function checkedUrl(text: string, places: FetchSettings): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('`url` must be an http or https URL', 'url');
  if (text.length > longest.url) throw invalid(`\`url\` must be at most ${longest.url} characters`, 'url');
  if (url.username || url.password) throw invalid('`url` must not contain a username or password', 'url');
  requirePlace(url, places);
  url.hash = '';
  return url.href;
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > longest.name) {
    throw invalid(`\`name\` must be 1 to ${longest.name} characters`, 'name');
  }
  return trimmed;
}

type Kept = Pick<WebhookRow, 'name' | 'url' | 'enabled' | 'loginEventTypes' | 'resourceTypes'>;

const unset: Kept = { name: '', url: '', enabled: true, loginEventTypes: [], resourceTypes: [] };

/** The columns for an input; fields that it leaves out stay unchanged. Throws `invalid`. */
export function merged(input: WebhookInput, before: Kept = unset, places = publicOnly) {
  const logins = typesIn(before.loginEventTypes);
  const writes = typesIn(before.resourceTypes);
  return {
    name: checkedName(input.name ?? before.name),
    url: checkedUrl(input.url ?? before.url, places),
    enabled: input.enabled ?? before.enabled,
    loginEventTypes: storedTypes(input.loginEvents ?? logins !== undefined, input.loginEventTypes ?? logins ?? []),
    resourceTypes: storedTypes(input.adminEvents ?? writes !== undefined, input.resourceTypes ?? writes ?? []),
  };
}
