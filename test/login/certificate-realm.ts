import { header, type Pair } from '../oauth/certificates.js';
import type { Caller } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { agentOf, authorizationUrl } from './agent.js';
import { callback, importShop, shop } from './realm.js';

/** Settings of a step, by their names without the prefix. */
export const x509 = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`x509-cert-auth.${name}`, value]));
const byName = { 'mapper-selection': 'Username or Email', 'confirmation-page-disallowed': 'true' };
/** Settings with which a part of the certificate is the name of the user. */
export const byPart = (source: string, more: Record<string, string> = {}) => ({
  'mapping-source-selection': source,
  ...byName,
  ...more,
});
/** Settings with which a part of the certificate is an attribute of the user. */
export const byAttribute = (source: string, name = 'usercertificate', more: Record<string, string> = {}) => ({
  ...byPart(source, more),
  'mapper-selection': 'Custom Attribute Mapper',
  'mapper-selection.user-attribute-name': name,
});

/** A realm whose logins begin with the certificate. */
export async function realmWith(
  admin: Caller,
  realm: string,
  settings: Record<string, string>,
  users: readonly object[] = [],
  second: object[] = [],
): Promise<void> {
  const step = (authenticator: string, requirement: string, priority: number, authenticatorConfig?: string) => ({
    authenticator,
    requirement,
    priority,
    ...(authenticatorConfig && { authenticatorConfig }),
  });
  const flow = (alias: string, ...authenticationExecutions: object[]) => ({
    alias,
    providerId: 'basic-flow',
    topLevel: true,
    builtIn: false,
    authenticationExecutions,
  });
  await importShop(admin, {
    realm,
    browserFlow: 'by certificate',
    directGrantFlow: 'direct by certificate',
    authenticatorConfig: [{ alias: 'certificate', config: x509(settings) }],
    authenticationFlows: [
      flow(
        'by certificate',
        step('auth-x509-client-username-form', 'ALTERNATIVE', 10, 'certificate'),
        step('auth-username-password-form', 'ALTERNATIVE', 20),
      ),
      flow('direct by certificate', step('direct-grant-auth-x509-username', 'REQUIRED', 10, 'certificate')),
    ],
    users: [...shop.users, ...users],
    clients: [...shop.clients, { clientId: 'tool', publicClient: true, directAccessGrantsEnabled: true }],
    ...Object.assign({}, ...second),
  });
}

/** Begins a login with a certificate. */
export const openLogin = (server: TestServer, realm: string, pair?: Pair) => {
  const agent = agentOf(server, pair && { [header]: pair.escaped });
  return { agent, page: agent.get(authorizationUrl(realm, { client_id: 'app', redirect_uri: callback })) };
};
/** Where a login with a certificate ends. */
export const arrivesAt = async (server: TestServer, realm: string, pair?: Pair): Promise<string> => {
  const page = await openLogin(server, realm, pair).page;
  return page.location?.startsWith(callback)
    ? 'logged in'
    : page.text.includes('name="password"')
      ? 'asked'
      : page.text;
};
/** The answer to a direct grant with a certificate. */
export const directGrant = async (
  server: TestServer,
  realm: string,
  pair?: Pair,
  more: Record<string, string> = {},
) => {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: pair && { [header]: pair.escaped },
    body: new URLSearchParams({ grant_type: 'password', client_id: 'tool', ...more }),
  });
  return { status: response.status, body: await response.json() };
};
