import { serverUrl } from '../access/credentials.js';
import { storedLogin, storeLogin } from '../access/stored-logins.js';
import { endSession, loginByDevice } from '../access/token-requests.js';
import { print } from '../print.js';

interface LoginOptions {
  url: string;
  clientId: string;
  loginRealm: string;
}

/**
 * Logs in through a browser on any machine, and stores the tokens for the commands with --url. Throws a sentence if the
 * login is not completed.
 */
export async function logIn({ url: given, clientId, loginRealm: realm }: LoginOptions): Promise<void> {
  const url = serverUrl(given);
  const tokens = await loginByDevice({ url, realm, clientId }, (address, code) => {
    print(`Open ${address} in a browser and enter the code ${code}.`);
  });
  storeLogin(url, { realm, clientId, ...tokens });
  print(`Logged in at ${url}.`);
}

/** Ends the stored login at a server. Throws a sentence if there is none. */
export async function logOut({ url: given }: { url: string }): Promise<void> {
  const url = serverUrl(given);
  const login = storedLogin(url);
  if (!login) throw new Error(`There is no login at ${url}.`);
  const { realm, clientId, refreshToken } = login;
  // the tokens are forgotten even if the server cannot be reached
  storeLogin(url, undefined);
  if (refreshToken !== undefined) await endSession({ url, realm, clientId }, refreshToken);
  print(`Logged out at ${url}.`);
}
