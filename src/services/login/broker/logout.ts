import { type BrokerProvider, findBrokerProvider } from '../../brokering/provider.js';
import type { ProviderAddress } from '../../brokering/provider-address.js';
import { redirectUri } from '../../brokering/redirect-uri.js';
import { logoutRequestTo } from '../../brokering/saml/logout-request.js';
import type { RealmRecord } from '../../core/realm.js';
import type { Browser, LoginSite } from '../attempt.js';
import { keptForBrowser } from '../kept-for-browser.js';
import { secretText } from '../state.js';
import { upstreamOf } from './send.js';

/** The beginning of the states of logouts, which tells them from those of logins. */
const logoutState = 'logout.';

/** Whether an answer of a provider is that to a logout. */
export const isOfLogout = (state: string | null): boolean => state?.startsWith(logoutState) === true;

type Notes = Readonly<Record<string, unknown>>;

/** A logout that the browser comes back from. */
interface Kept {
  /** where the browser goes then */
  destination?: string;
  /** the form that takes the browser to the provider */
  form?: ProviderAddress;
}

/**
 * Logs a session out at the identity provider where it began (OpenID Connect RP-Initiated Logout 1.0, or SAML 2.0 profiles section
 * 4.4). Returns the address to which the browser is sent; undefined if there is none, or the provider is told without the browser.
 * `destination` is where the browser goes after that.
 */
export async function logoutAtProvider(
  site: LoginSite,
  realm: RealmRecord,
  browser: Browser,
  notes: Notes,
  destination: string | undefined,
): Promise<string | undefined> {
  const { services } = site;
  const alias = notes.identity_provider;
  if (typeof alias !== 'string') return undefined;
  const provider = await findBrokerProvider(services, realm.id, alias);
  if (!provider?.enabled) return undefined;
  const state = `${logoutState}${secretText()}`;
  const place = redirectUri(browser.baseUrl, realm.name, alias);
  const to = provider.kind.isSaml
    ? await logoutRequestTo(upstreamOf({ ...site, realm, browser }), provider, notes, state)
    : logoutAddress(provider, notes, { place, state });
  if (!to) return undefined;
  if (provider.settings.backchannelSupported === 'true') {
    await tell(site, realm, alias, to);
    return undefined;
  }
  const kept: Kept = { ...(destination !== undefined && { destination }), ...(to.form && { form: to }) };
  await keptLogouts.keep(services, realm, keyOf(alias, state), kept);
  return to.form ? `${place}/logout_request?${new URLSearchParams({ state })}` : to.address;
}

/** Tells a provider of a logout without the browser. */
async function tell({ services }: LoginSite, realm: RealmRecord, alias: string, { address, form }: ProviderAddress) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = form && { method: 'POST' as const, headers, body: new URLSearchParams(form).toString() };
  await services.fetchPublic(new URL(address), { onlyStatus: true, ...posted }).catch((error: unknown) => {
    services.log.warn(
      { realm: realm.name, provider: alias, error },
      'a user was not logged out at the identity provider',
    );
  });
}

function logoutAddress(
  { settings }: BrokerProvider,
  notes: Notes,
  { place, state }: { place: string; state: string },
): ProviderAddress | undefined {
  const address = settings.logoutUrl?.trim();
  if (!address || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const idToken = notes.FEDERATED_ID_TOKEN;
  if (typeof idToken === 'string' && settings.sendIdTokenOnLogout !== 'false')
    url.searchParams.set('id_token_hint', idToken);
  if (settings.sendClientIdOnLogout !== 'false') url.searchParams.set('client_id', settings.clientId ?? '');
  if (settings.backchannelSupported !== 'true') {
    url.searchParams.set('post_logout_redirect_uri', `${place}/logout_response`);
    url.searchParams.set('state', state);
  }
  return { address: url.href };
}

const keptLogouts = keptForBrowser<Kept>('logout at identity provider');

/** The key of a logout: its state is good for the answer of one provider. */
const keyOf = (alias: string, state: string | null): string => `${state} ${alias}`;

/** The form that takes the browser of a logout to the provider; undefined if there is none. */
export const formOfLogout = async (
  { services }: LoginSite,
  realm: RealmRecord,
  alias: string,
  state: string | null,
): Promise<ProviderAddress | undefined> => (await keptLogouts.read(services, realm, keyOf(alias, state)))?.form;

/** Where a browser goes on that comes back from the logout at an identity provider. Each answer counts once. */
export const afterProviderLogout = async (
  { services }: LoginSite,
  realm: RealmRecord,
  alias: string,
  state: string | null,
): Promise<string | undefined> => (await keptLogouts.take(services, realm, keyOf(alias, state)))?.destination;
