import { type Agent, agentOf, authorizationUrl, linkOf, type Page } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

/** A client of the realm whose users come from an identity provider. */
export const app = { client_id: 'app', redirect_uri: callback };
const broker = { clientId: 'broker', secret: 'secret-of-the-broker' };

/** A user of the realm `corp`, which is the identity provider. */
export const person = (username: string, more: object = {}) => ({
  username,
  enabled: true,
  email: `${username}@corp.example`,
  emailVerified: true,
  firstName: username,
  lastName: 'Corporate',
  credentials: [{ type: 'password', value: `pw-${username}` }],
  ...more,
});

export interface World {
  server: TestServer;
  admin: Caller;
}

/** Settings of an identity provider that is the realm `corp` of the same server. */
export const corporate = ({ url }: { url: string }, more: Record<string, string> = {}) => {
  const corp = `${url}/auth/realms/corp`;
  return {
    clientId: broker.clientId,
    clientSecret: broker.secret,
    authorizationUrl: `${corp}/protocol/openid-connect/auth`,
    tokenUrl: `${corp}/protocol/openid-connect/token`,
    userInfoUrl: `${corp}/protocol/openid-connect/userinfo`,
    logoutUrl: `${corp}/protocol/openid-connect/logout`,
    jwksUrl: `${corp}/protocol/openid-connect/certs`,
    issuer: corp,
    validateSignature: 'true',
    useJwksUrl: 'true',
    ...more,
  };
};

interface Wanted {
  /** users of the realm `corp` */
  people?: readonly object[];
  /** of the realm `corp` */
  corp?: object;
  /** of the realm `shop` */
  shop?: object;
  providers: (server: { url: string }) => object[];
  mappers?: object[];
  /** the clock of the server, in milliseconds since 1970. Default: the real one */
  now?: () => number;
}

/** A server with the realm `shop`, whose users can log in with the realm `corp`. */
export async function openWorld({
  people = [],
  corp = {},
  shop = {},
  providers,
  mappers = [],
  now,
}: Wanted): Promise<World> {
  const server = await startServer({ fetchPrivateAddresses: true }, now);
  const admin = await administrator(server);
  await importShop(admin, {
    realm: 'corp',
    users: people,
    clients: [{ ...broker, redirectUris: [`${server.url}/auth/realms/shop/broker/*`] }],
    ...corp,
  });
  await importShop(admin, { identityProviders: providers(server), identityProviderMappers: mappers, ...shop });
  return { server, admin };
}

/** Follows a login to the identity provider with this alias, logs in there, and returns where the browser is sent back to. */
export async function loginAtProvider(
  { server }: World,
  { alias = 'corp', username = '', password = `pw-${username}`, upstream = agentOf(server) }: Login,
  to: Page,
): Promise<string> {
  const form = await upstream.get(to.location ?? '');
  const done = form.location ? form : await upstream.submit(form, { username, password });
  if (!done.location?.includes(`/broker/${alias}/endpoint`))
    throw new Error(`no way back: ${done.status} ${done.text}`);
  return done.location;
}

/** Follows the way back from a provider to a page of the realm, or to the client. */
export async function arrive(agent: Agent, back: string): Promise<Page> {
  const page = await agent.get(back);
  return page.location?.includes('/login-actions/') ? agent.get(page.location) : page;
}

interface Login {
  alias?: string;
  username?: string;
  password?: string;
  /** the browser, as it is known to the provider */
  upstream?: Agent;
}

/** Logs in at the realm `shop` with an identity provider, and returns the page that the browser comes back to. */
export async function logInWith(
  world: World,
  login: Login,
  agent = agentOf(world.server),
  parameters: Record<string, string> = {},
): Promise<{ agent: Agent; page: Page }> {
  const { alias = 'corp' } = login;
  const start = await agent.get(authorizationUrl('shop', { ...app, ...parameters }));
  const to = start.location ? start : await agent.get(linkOf(start, `/broker/${alias}/login`));
  return { agent, page: await arrive(agent, await loginAtProvider(world, login, to)) };
}

/** The user of the realm `shop` with this name. */
export const shopUser = async ({ admin }: World, username: string) =>
  (await admin.send('GET', `/admin/realms/shop/users?username=${encodeURIComponent(username)}&exact=true`)).body[0];

/** Login events of the realm `shop`. */
export const eventsOf = async ({ admin }: World, type: string): Promise<Record<string, unknown>[]> =>
  (await admin.send('GET', `/admin/realms/shop/events?type=${type}&max=100`)).body;
