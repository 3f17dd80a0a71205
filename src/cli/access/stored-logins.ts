import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '../../services/core/json.js';
import { type Endpoint, margin, refreshed, type Tokens } from './token-requests.js';

/** A login that `realmgate login` has stored. */
export interface StoredLogin extends Tokens {
  realm: string;
  clientId: string;
}

/** The file with the logins of the user, in the folder for settings of programs. */
function file(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config');
  return join(folder, 'realmgate', 'logins.json');
}

/** Throws a sentence if others could read the tokens. */
function requirePrivate(path: string): void {
  if (process.platform === 'win32') return;
  if ((statSync(path).mode & 0o077) === 0) return;
  throw new Error(
    `Other users can read the tokens in ${path}: run \`chmod 600 ${path}\`, or delete it and log in again.`,
  );
}

function read(): Record<string, StoredLogin> {
  const path = file();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  requirePrivate(path);
  try {
    const logins: unknown = JSON.parse(text);
    if (isObject(logins)) return logins as Record<string, StoredLogin>;
  } catch {}
  throw new Error(`The file ${path} is damaged: delete it and log in again.`);
}

/** The stored login for a server; undefined if there is none. */
export const storedLogin = (url: string): StoredLogin | undefined => read()[url];

/** Stores the login at a server, or removes it. A reader sees the file before or after, never a part of it. */
export function storeLogin(url: string, login: StoredLogin | undefined): void {
  const path = file();
  const { [url]: _, ...others } = read();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomUUID()}`;
  writeFileSync(part, `${JSON.stringify({ ...others, ...(login && { [url]: login }) }, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, path);
}

const endpointOf = (url: string, { realm, clientId }: StoredLogin): Endpoint => ({ url, realm, clientId });

/**
 * The access token of the stored login for a server, renewed if it is about to expire. Throws a sentence if there is no
 * login.
 */
export async function storedToken(url: string): Promise<string> {
  const login = storedLogin(url);
  const how = `run \`realmgate login --url ${url}\`, or set REALMGATE_TOKEN`;
  if (!login) throw new Error(`There is no login at ${url}: ${how}.`);
  if (login.expiresAt - margin > Date.now()) return login.accessToken;
  const tokens =
    login.refreshToken === undefined ? undefined : await refreshed(endpointOf(url, login), login.refreshToken);
  if (tokens) {
    storeLogin(url, { ...login, ...tokens });
    return tokens.accessToken;
  }
  // another process may have used the refresh token, which is good for one use in some realms
  const other = storedLogin(url);
  if (other && other.accessToken !== login.accessToken) return other.accessToken;
  throw new Error(`The login at ${url} has ended: ${how}.`);
}
