import { openWorld as openPair, type World as Pair, person } from '../brokering/world.js';
import { type Agent, agentOf, authorizationUrl, linkOf, type Page } from '../login/agent.js';
import { callback } from '../login/realm.js';
import { formOf } from '../saml/world.js';

const app = { client_id: 'app', redirect_uri: callback };

/** A provider of the realm `shop`: the realm `corp` of the same server. */
interface Wanted {
  /** settings of providers by alias */
  providers: Record<string, Record<string, string>>;
  /** more fields of providers by alias */
  fields?: Record<string, object>;
  mappers?: object[];
  people?: readonly object[];
  /** attributes of the clients that the realm `shop` is at `corp`, by alias */
  clients?: Record<string, Record<string, string>>;
  /** of these clients */
  protocolMappers?: object[];
  /** of the realm `shop` */
  shop?: object;
  now?: () => number;
}

export interface World extends Pair {
  /** base64 of the certificate with which `corp` signs */
  certificate: string;
  /** base64 of the certificate of `shop` */
  ownCertificate: string;
}

/** The address of this server for the messages of a provider. */
export const endpointOf = ({ url }: { url: string }, alias: string): string =>
  `${url}/auth/realms/shop/broker/${alias}/endpoint`;

/** A server with the realm `shop`, whose users log in with SAML at the realm `corp`. */
export async function openWorld({
  providers,
  fields = {},
  mappers = [],
  people = [],
  clients = {},
  protocolMappers = [],
  shop = {},
  now,
}: Wanted): Promise<World> {
  const world = await openPair({
    people: [person('pia'), ...people],
    corp: {
      clients: Object.keys(providers).map((alias) => ({ clientId: `sp-${alias}`, protocol: 'saml', protocolMappers })),
    },
    providers: ({ url }) =>
      Object.entries(providers).map(([alias, config]) => ({
        alias,
        providerId: 'saml',
        trustEmail: true,
        ...fields[alias],
        config: {
          entityId: `sp-${alias}`,
          singleSignOnServiceUrl: `${url}/auth/realms/corp/protocol/saml`,
          singleLogoutServiceUrl: `${url}/auth/realms/corp/protocol/saml`,
          nameIDPolicyFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
          postBindingResponse: 'true',
          postBindingAuthnRequest: 'true',
          postBindingLogout: 'true',
          wantAuthnRequestsSigned: 'true',
          validateSignature: 'true',
          ...config,
        },
      })),
    mappers,
    shop,
    ...(now && { now }),
  });
  const { server, admin } = world;
  const certificateOf = async (realm: string) => {
    const descriptor = await fetch(`${server.url}/auth/realms/${realm}/protocol/saml/descriptor`);
    return /X509Certificate>([^<]+)</.exec(await descriptor.text())?.[1] ?? '';
  };
  const certificate = await certificateOf('corp');
  const own = await certificateOf('shop');
  for (const one of (await admin.send('GET', '/admin/realms/corp/clients')).body) {
    const alias = /^sp-(.+)$/.exec(one.clientId)?.[1];
    if (alias === undefined) continue;
    const attributes = {
      'saml.client.signature': 'true',
      'saml.signing.certificate': own,
      'saml.server.signature': 'true',
      'saml.assertion.signature': 'true',
      'saml.authnstatement': 'true',
      'saml.signature.algorithm': 'RSA_SHA256',
      'saml.encryption.certificate': own,
      saml_single_logout_service_url_post: endpointOf(server, alias),
      saml_single_logout_service_url_redirect: endpointOf(server, alias),
      ...clients[alias],
    };
    const changed = { ...one, redirectUris: [endpointOf(server, alias)], frontchannelLogout: true, attributes };
    await admin.send('PUT', `/admin/realms/corp/clients/${one.id}`, changed);
    const path = `/admin/realms/shop/identity-provider/instances/${alias}`;
    const { body: provider } = await admin.send('GET', path);
    await admin.send('PUT', path, { ...provider, config: { signingCertificate: certificate, ...provider.config } });
  }
  return { ...world, certificate, ownCertificate: own };
}

/** A browser. Its cookies for the two realms are kept apart, as browsers do by their paths. */
export interface Browser {
  shop: Agent;
  corp: Agent;
}

export const newBrowser = ({ server }: Pair): Browser => ({ shop: agentOf(server), corp: agentOf(server) });

/** Follows redirects, and the forms that pages send by themselves, to a page or a client. Ends early at an address that `upTo` matches. */
export async function follow(browser: Browser, page: Page, upTo?: RegExp): Promise<Page> {
  const isForm = page.text.includes('document.forms[0].submit()');
  const to = page.location ?? (isForm ? formOf(page).action : undefined);
  if (to === undefined || to.startsWith(callback) || upTo?.test(to)) return page;
  const agent = /\/realms\/corp\//.test(to) ? browser.corp : browser.shop;
  const next = page.location ? await agent.get(to) : await agent.post(to, formOf(page).fields);
  return follow(browser, next, upTo);
}

interface Login {
  username?: string;
  browser?: Browser;
  parameters?: Record<string, string>;
}

/** Begins a login at the realm `shop` with the provider of this alias, and returns the login page of the provider. */
export async function begin(
  world: Pair,
  alias: string,
  { browser = newBrowser(world), parameters = {} }: Login = {},
): Promise<{ browser: Browser; page: Page }> {
  const start = await browser.shop.get(authorizationUrl('shop', { ...app, ...parameters }));
  return { browser, page: await browser.shop.get(linkOf(start, `/broker/${alias}/login`)) };
}

/** Logs in at the realm `shop` with the provider of this alias, and returns the page or the client that the browser comes to. */
export async function logInWith(
  world: Pair,
  alias: string,
  { username = 'pia', ...login }: Login = {},
): Promise<{ browser: Browser; page: Page }> {
  const { browser, page: to } = await begin(world, alias, login);
  const form = await follow(browser, to);
  const page = await follow(browser, await browser.corp.submit(form, { username, password: `pw-${username}` }));
  return { browser, page };
}
