import * as oauth from 'oauth4webapi';
import { newMessageId } from '../saml/messages.js';
import type { BrokerProvider } from './provider.js';
import { isOn, requiredAddress } from './provider-settings.js';

/** Parameters of a client's request that a provider can be sent. */
export interface UpstreamWishes {
  prompt?: string;
  loginHint?: string;
  locales?: string;
  acrValues?: string;
  maxAge?: number;
  /** other parameters of the client's request */
  others: Readonly<Record<string, string>>;
}

/** A login that a browser was sent to a provider for. What the answer has to match is kept with the login. */
export interface SentRequest {
  /** value of the parameter `state` */
  state: string;
  nonce?: string;
  verifier?: string;
  /** ID of the message, if the provider speaks SAML */
  messageId?: string;
  /** seconds since 1970 after which the user has to log in there, if SAML asks for a login of its own */
  forcedAt?: number;
}

/** PKCE is used unless it is switched off: a server that does not know its parameters ignores them (RFC 6749 section 3.1). */
const usesPkce = ({ kind, settings }: BrokerProvider): boolean => kind.usesPkce && settings.pkceEnabled !== 'false';

const usesNonce = ({ kind, settings }: BrokerProvider): boolean => kind.isOpenId && !isOn(settings.disableNonce);

function scopeOf({ kind, settings }: BrokerProvider): string {
  const scope = settings.defaultScope?.trim() || kind.scope;
  return kind.isOpenId && !scope.split(/\s+/).includes('openid') ? `openid ${scope}` : scope;
}

/** The login for which a request is made. */
interface RequestPlace {
  /** names the login, and comes back in `state` */
  tab: string;
  /** values of the client's parameter `prompt` */
  prompt: readonly string[];
  /** milliseconds since 1970 */
  now: number;
}

/** The values that a login at the provider is protected with. */
export const newRequest = (provider: BrokerProvider, { tab, prompt, now }: RequestPlace): SentRequest => ({
  state: `${oauth.generateRandomState()}.${tab}`,
  ...(usesNonce(provider) && { nonce: oauth.generateRandomNonce() }),
  ...(usesPkce(provider) && { verifier: oauth.generateRandomCodeVerifier() }),
  ...(provider.kind.isSaml && {
    messageId: newMessageId(),
    ...((isOn(provider.settings.forceAuthn) || prompt.includes('login')) && { forcedAt: Math.floor(now / 1000) }),
  }),
});

/** The login that an answer of a provider belongs to, by its `state`. */
export const tabOfState = (state: string | null): string | null => state?.split('.')[1] ?? null;

/** The address to which the browser is sent (OpenID Connect Core section 3.1.2.1). Throws `UpstreamFailure`. */
export async function authorizationAddress(
  provider: BrokerProvider,
  sent: SentRequest,
  redirectUri: string,
  wishes: UpstreamWishes,
): Promise<string> {
  const { settings, providerId } = provider;
  const url = new URL(requiredAddress(provider, 'authorizationUrl'));
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  };
  for (const name of (settings.forwardParameters ?? '').split(',').map((one) => one.trim())) {
    if (Object.hasOwn(wishes.others, name)) set(name, wishes.others[name]);
  }
  set('response_type', 'code');
  set('client_id', settings.clientId);
  set('redirect_uri', redirectUri);
  set('scope', scopeOf(provider));
  set('state', sent.state);
  set('nonce', sent.nonce);
  if (sent.verifier !== undefined) {
    const isPlain = settings.pkceMethod === 'plain';
    set('code_challenge', isPlain ? sent.verifier : await oauth.calculatePKCECodeChallenge(sent.verifier));
    set('code_challenge_method', isPlain ? 'plain' : 'S256');
  }
  set('prompt', settings.prompt?.trim() || wishes.prompt);
  set('acr_values', wishes.acrValues);
  if (settings.passMaxAge !== 'false') set('max_age', wishes.maxAge);
  if (isOn(settings.loginHint)) set('login_hint', wishes.loginHint);
  if (isOn(settings.uiLocales)) set('ui_locales', wishes.locales);
  set('display', settings.display);
  if (providerId === 'google') {
    set('hd', settings.hostedDomain);
    if (isOn(settings.offlineAccess)) set('access_type', 'offline');
  }
  return url.href;
}
