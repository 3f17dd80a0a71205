import { addressPrefix } from './address-prefix.js';

/** Console of the master realm, whose redirect URIs include the pages that log in by this module. */
const client = 'security-admin-console';
const endpoints = `${addressPrefix}/realms/master/protocol/openid-connect`;
const here = location.origin + location.pathname;
const stored = 'realmgate-login';
/** How long before its end a token is renewed, in milliseconds. */
const early = 10_000;

interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  id_token: string;
  expires_in: number;
}

interface Tokens {
  access: string;
  refresh: string;
  until: number;
}

/** What a reload must know. Tokens are in memory only. */
interface Remembered {
  verifier?: string;
  state?: string;
  /** binds the ID token to the login, which realms can require */
  nonce?: string;
  /** query and fragment of the address to return to */
  to?: string;
  loggedIn?: boolean;
}

let tokens: Tokens | undefined;
let renewing: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Calls `listener` after each login and logout; returns a function that ends this. */
export function onLoginChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Username of who is logged in; undefined without a login. */
export function username(): string | undefined {
  return tokens && (claimsOf(tokens.access).preferred_username ?? '');
}

/** The claims of a token that the server has just issued. */
function claimsOf(token: string): { preferred_username?: string; nonce?: string } {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The Authorization header of the login; undefined without a login. Renews the token if it is about to expire. */
export async function authorization(): Promise<string | undefined> {
  if (tokens && tokens.until - Date.now() < early) {
    renewing ??= requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refresh })
      .catch(forget)
      .finally(() => {
        renewing = undefined;
      });
    await renewing;
  }
  return tokens && `Bearer ${tokens.access}`;
}

/** Whether this page can log in: browsers offer cryptography only to secure origins. */
export const canLogin = globalThis.crypto?.subtle !== undefined;

/** Leaves for the login page: code flow with PKCE (RFC 7636). `silently`: only if the browser has a session. */
export async function login(silently = false): Promise<void> {
  const verifier = random();
  const [state, nonce] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  remember({ verifier, state, nonce, to: location.search + location.hash });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: here,
    scope: 'openid',
    state,
    nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(silently && { prompt: 'none' }),
  });
  location.assign(`${endpoints}/auth?${query}`);
}

/** Ends the session. */
export async function logout(): Promise<void> {
  const form = new URLSearchParams({ client_id: client, refresh_token: tokens?.refresh ?? '' });
  await fetch(`${endpoints}/logout`, { method: 'POST', body: form }).catch(() => undefined);
  forget();
}

/** Completes a login that left this page, and repeats one of before a reload. Resolves when requests can be sent. */
export async function resumeLogin(): Promise<void> {
  if ((await completeLogin()) || !wasLoggedIn()) return;
  await login(true);
  // the browser is leaving this page, which must send nothing more
  await new Promise<never>(() => undefined);
}

/** Whether somebody has logged in before a reload, whose login can be repeated without a question. */
export const wasLoggedIn = (): boolean => canLogin && remembered().loggedIn === true;

/** Completes a login that left this page. Resolves with whether there was one. */
export async function completeLogin(): Promise<boolean> {
  const query = new URLSearchParams(location.search);
  const [code, state] = [query.get('code'), query.get('state')];
  if (!canLogin || !state || !(code || query.has('error'))) return false;
  const before = remembered();
  const isOwn = before.state === state;
  history.replaceState(null, '', here + (isOwn ? (before.to ?? '') : ''));
  remember({});
  if (!isOwn || !code) return true;
  const form = { grant_type: 'authorization_code', code, redirect_uri: here, code_verifier: before.verifier ?? '' };
  await requestTokens(form, before.nonce).catch(forget);
  return true;
}

/** Has the server issue tokens. Throws an error if it does not, or if the ID token has another nonce than the login. */
async function requestTokens(form: Record<string, string>, nonce?: string): Promise<void> {
  const body = new URLSearchParams({ ...form, client_id: client });
  const response = await fetch(`${endpoints}/token`, { method: 'POST', body });
  if (!response.ok) throw new Error('The server issued no token');
  const answer = (await response.json()) as TokenAnswer;
  if (nonce !== undefined && claimsOf(answer.id_token).nonce !== nonce)
    throw new Error('The ID token is that of another login');
  tokens = {
    access: answer.access_token,
    refresh: answer.refresh_token,
    until: Date.now() + answer.expires_in * 1000,
  };
  remember({ loggedIn: true });
  for (const listener of listeners) listener();
}

function forget(): void {
  tokens = undefined;
  remember({});
  for (const listener of listeners) listener();
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const remember = (value: Remembered): void => sessionStorage.setItem(stored, JSON.stringify(value));

function remembered(): Remembered {
  try {
    return (JSON.parse(sessionStorage.getItem(stored) ?? '{}') ?? {}) as Remembered;
  } catch {
    return {};
  }
}
