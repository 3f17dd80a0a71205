import { addressPrefix } from './address-prefix.js';
import { createStore } from './store.js';

/** The client of the contract for administration consoles. Its redirect URI leads to `/console/{realm}/`. */
const client = 'security-admin-console';
const stored = 'realmgate-console';
const popupName = 'realmgate-sign-in';
/** How long before its end a token is renewed, in milliseconds. */
const early = 10_000;

/** The realm in which the caller signs in: the first part of the address below `/console`. */
export const home = decodeURIComponent(location.pathname.split('/')[2] || 'master');
const realmPath = encodeURIComponent(home);
/** The address of the console for those who sign in to this realm. All of its screens are below it. */
export const base = `/console/${realmPath}`;
const endpoints = `${addressPrefix}/realms/${realmPath}/protocol/openid-connect`;
const redirectUri = `${location.origin}${addressPrefix}/admin/${realmPath}/console/`;

interface Tokens {
  access: string;
  refresh: string;
  until: number;
}

/** What the page must know when it comes back from the login page. Tokens are in memory only. */
interface Attempt {
  verifier: string;
  state: string;
  /** binds the ID token to this attempt, which realms can require */
  nonce: string;
  /** address to return to */
  to: string;
}

/** `expired`: the caller has to sign in again, and requests wait. `ended`: the caller has signed out. */
export const sessionState = createStore<'active' | 'expired' | 'ended'>('active');

let tokens: Tokens | undefined;
let renewing: Promise<void> | undefined;

/** The access token, renewed if it is about to expire. Waits while the session is expired. */
export async function accessToken(): Promise<string> {
  for (;;) {
    if (tokens && tokens.until - Date.now() > early) return tokens.access;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
}

/** Has the next request use a new token, because the server has refused this one. */
export function refuseToken(token: string): void {
  if (tokens?.access === token) tokens = { ...tokens, until: 0 };
}

async function renew(): Promise<void> {
  const refresh = tokens?.refresh;
  tokens = undefined;
  if (refresh && !(await requestTokens({ grant_type: 'refresh_token', refresh_token: refresh }))) return;
  sessionState.set('expired');
  await new Promise<void>((resolve) => {
    const end = sessionState.subscribe(() => {
      if (sessionState.get() !== 'active') return;
      end();
      resolve();
    });
  });
}

/** The server has refused a login. To begin another one at once would end the same way. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';

  constructor(
    /** code of the error (RFC 6749, section 4.1.2.1) */
    readonly code: string,
    description: string | undefined,
    /** address to return to after another attempt */
    readonly to: string,
  ) {
    super(description ?? '');
  }
}

/**
 * Begins the page: completes a login, or leaves for the login page, which the browser's session passes without a question.
 * Resolves with the address to show when requests can be sent. Throws `SignInRefused` if the server refuses the login.
 */
export async function begin(): Promise<string> {
  const query = new URLSearchParams(location.search);
  const [code, state, error] = ['code', 'state', 'error'].map((name) => query.get(name) ?? undefined);
  const own = [base, ...location.pathname.split('/').slice(3)].join('/');
  if (!state || !(code || error)) return leave(own + location.search + location.hash);
  if (window.name === popupName) {
    new BroadcastChannel(popupName).postMessage({ code, state });
    window.close();
    return new Promise<never>(() => undefined);
  }
  const attempt = remembered();
  // a login of another window, one that was completed before, or a link of somebody else, whose texts are not shown
  if (attempt?.state !== state) return leave(attempt?.to ?? `${base}/`);
  const refused = code
    ? await redeem(code, attempt)
    : { error: error ?? '', error_description: query.get('error_description') ?? '' };
  if (refused) throw new SignInRefused(refused.error, refused.error_description, attempt.to);
  return attempt.to;
}

/** Leaves for the login page, with further parameters of the request; resolves never, so that the page sends nothing more. */
export async function leave(to: string, more: Record<string, string> = {}): Promise<never> {
  const attempt = { ...newSecrets(), to };
  sessionStorage.setItem(stored, JSON.stringify(attempt));
  location.replace(await loginAddress(attempt, more));
  return new Promise<never>(() => undefined);
}

/** Has the login page ask for a new password, and comes back to this screen. */
export const changePassword = (): Promise<never> =>
  leave(location.pathname + location.search, { kc_action: 'UPDATE_PASSWORD' });

/** Signs in again in a second window, so that the screen and what was typed stay. */
export async function signInAgain(): Promise<void> {
  const attempt = { ...newSecrets(), to: '' };
  // opened before anything is awaited: browsers allow a window only for a click
  const popup = window.open('', popupName, 'popup,width=480,height=680');
  const channel = new BroadcastChannel(popupName);
  channel.onmessage = async ({ data }: MessageEvent<{ code?: string; state: string }>) => {
    if (data.state !== attempt.state || !data.code) return;
    channel.close();
    if (!(await redeem(data.code, attempt))) sessionState.set('active');
  };
  const address = await loginAddress(attempt);
  if (popup) popup.location.replace(address);
  else await leave(location.pathname + location.search);
}

/** Ends the session of the browser and all of its tokens. */
export async function signOut(): Promise<void> {
  const body = new URLSearchParams({ client_id: client, refresh_token: tokens?.refresh ?? '' });
  await fetch(`${endpoints}/logout`, { method: 'POST', body }).catch(() => undefined);
  tokens = undefined;
  sessionState.set('ended');
}

/** Why the server issues no tokens (RFC 6749, section 5.2). */
interface TokenRefusal {
  error: string;
  error_description?: string;
}

const redeem = (code: string, { verifier, nonce }: Attempt): Promise<TokenRefusal | undefined> =>
  requestTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }, nonce);

/** Has the server issue tokens, and returns why it does not. A connection that is lost is waited for. */
async function requestTokens(form: Record<string, string>, nonce?: string): Promise<TokenRefusal | undefined> {
  const body = new URLSearchParams({ ...form, client_id: client });
  for (;;) {
    const response = await fetch(`${endpoints}/token`, { method: 'POST', body }).catch(() => undefined);
    if (response?.ok) {
      const answer = (await response.json()) as TokenAnswer;
      if (nonce !== undefined && nonceIn(answer.id_token) !== nonce) return { error: 'wrong_nonce' };
      const until = Date.now() + Math.max(answer.expires_in * 1000, early + 1000);
      tokens = { access: answer.access_token, refresh: answer.refresh_token, until };
      return undefined;
    }
    if (response && response.status < 500)
      return response.json().catch(() => ({ error: `HTTP ${response.status}` })) as Promise<TokenRefusal>;
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  id_token: string;
  expires_in: number;
}

/** The nonce of an ID token that the server has just issued over this connection (OpenID Connect Core, section 3.1.3.7). */
function nonceIn(idToken: string): unknown {
  const [, payload = ''] = idToken.split('.');
  return (JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { nonce?: unknown }).nonce;
}

async function loginAddress({ verifier, state, nonce }: Attempt, more: Record<string, string> = {}): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: redirectUri,
    scope: 'openid',
    state,
    nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...more,
  });
  return `${endpoints}/auth?${query}`;
}

const newSecrets = () => ({ verifier: random(), state: random(), nonce: random() });

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function remembered(): Attempt | undefined {
  const text = sessionStorage.getItem(stored);
  sessionStorage.removeItem(stored);
  return text ? (JSON.parse(text) as Attempt) : undefined;
}
