import { storedToken } from './stored-logins.js';
import { tokenByClient } from './token-requests.js';

/** Options of commands that work on a server, or on the database. */
export interface ServerOptions {
  url?: string;
  token?: string;
  clientId?: string;
  loginRealm: string;
}

/** A server and the source of its tokens. */
export interface Server {
  /** without a slash at its end */
  url: string;
  /** A token that is good for the next request. */
  token(): Promise<string>;
  /** how the user gets another token, as the end of a sentence */
  renew: string;
}

/** The URL of a server from an option, with or without `/auth`. Throws a sentence for an invalid URL. */
export function serverUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    // a text with an @ may contain a password
    const got = given.includes('@') ? '' : `, got ${JSON.stringify(given)}`;
    throw new Error(`--url must be an address such as https://id.example${got}.`);
  }
  if (url.username || url.password)
    throw new Error('--url must have no user name and no password: use a token or a login.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/auth$/, '')}`;
}

/**
 * Throws for a text that is not a token, such as a file with several lines. The error of a request would show the whole
 * text.
 */
function requireHeaderText(token: string, name: string): void {
  if (/^[\x21-\x7E]+$/.test(token.replace(/[\t\n\r ]+$/, ''))) return;
  throw new Error(`${name} must be an access token: one line of letters, digits, and punctuation.`);
}

/**
 * The server of the options, with the first of these credentials: the option --token, REALMGATE_TOKEN, a client with
 * its secret, or the login that `realmgate login` has stored. Undefined without --url. Throws a sentence for options
 * that exclude each other.
 */
export function serverOf({ url: given, token, clientId, loginRealm }: ServerOptions): Server | undefined {
  if (given === undefined) {
    const superfluous = token !== undefined ? '--token' : clientId !== undefined ? '--client-id' : undefined;
    if (superfluous) throw new Error(`${superfluous} requires --url.`);
    return undefined;
  }
  const url = serverUrl(given);
  if (token !== undefined && clientId !== undefined) throw new Error('--token and --client-id exclude each other.');
  const fixed = token ?? (clientId === undefined ? process.env['REALMGATE_TOKEN'] : undefined);
  if (fixed) requireHeaderText(fixed, token === undefined ? 'REALMGATE_TOKEN' : '--token');
  if (fixed) return { url, token: async () => fixed, renew: 'set REALMGATE_TOKEN or --token to a new one' };
  if (clientId !== undefined) {
    const secret = process.env['REALMGATE_CLIENT_SECRET'];
    if (!secret) throw new Error('--client-id requires the secret of the client in REALMGATE_CLIENT_SECRET.');
    const endpoint = { url, realm: loginRealm, clientId };
    return {
      url,
      token: tokenByClient(endpoint, secret),
      renew: `check the roles of the service account of ${clientId}`,
    };
  }
  return { url, token: () => storedToken(url), renew: `run \`realmgate login --url ${url}\`` };
}
