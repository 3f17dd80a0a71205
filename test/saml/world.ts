import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { SAML, type SamlConfig } from '@node-saml/node-saml';
import { selfSignedCertificate } from '../../src/services/keys/certificate.js';
import type { Agent, Page } from '../login/agent.js';
import { importShop, shop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

export interface World {
  server: TestServer;
  admin: Caller;
  /** the key pair of all clients */
  keys: KeyPair;
  /** base64 of the certificate of the realm */
  certificate: string;
}

export interface KeyPair {
  privateKey: KeyObject;
  pem: string;
  /** base64 of the DER form */
  certificate: string;
}

export const consumer = 'http://sp.example/acs';
export const logoutConsumer = 'http://sp.example/slo';

/** A key pair of RSA with its certificate. */
export async function keyPair(name = 'sp'): Promise<KeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const certificate = await selfSignedCertificate(privateKey, publicKey, name);
  return { privateKey, pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), certificate };
}

interface SamlClient {
  clientId: string;
  attributes?: Record<string, string>;
  [field: string]: unknown;
}

/** A SAML client of the realm that signs its requests, and wants its assertions signed. */
export const samlClient = ({ certificate }: KeyPair, { attributes, ...client }: SamlClient) => ({
  protocol: 'saml',
  redirectUris: [consumer],
  fullScopeAllowed: true,
  defaultClientScopes: ['role_list'],
  ...client,
  attributes: {
    'saml.client.signature': 'true',
    'saml.signing.certificate': certificate,
    'saml.server.signature': 'true',
    'saml.assertion.signature': 'true',
    'saml.authnstatement': 'true',
    'saml.force.post.binding': 'true',
    'saml.signature.algorithm': 'RSA_SHA256',
    saml_single_logout_service_url_post: logoutConsumer,
    saml_single_logout_service_url_redirect: logoutConsumer,
    ...attributes,
  },
});

/** A server with the realm `shop` that has SAML clients. */
export async function openWorld(
  clients: (keys: KeyPair) => object[],
  realm: object = {},
  ...settings: Parameters<typeof startServer>
): Promise<World> {
  const server = await startServer({ fetchPrivateAddresses: true, ...settings[0] }, settings[1]);
  const admin = await administrator(server);
  const keys = await keyPair();
  await importShop(admin, { clients: [...shop.clients, ...clients(keys)], ...realm });
  return { server, admin, keys, certificate: await certificateOf(server) };
}

/** The certificate with which the realm signs, from its descriptor, as base64 of the DER form. */
export async function certificateOf({ url }: Pick<TestServer, 'url'>): Promise<string> {
  const descriptor = await fetch(`${url}/auth/realms/shop/protocol/saml/descriptor`);
  return /X509Certificate>([^<]+)</.exec(await descriptor.text())?.[1] ?? '';
}

/** The address of a realm for SAML messages. */
export const endpoint = ({ server }: Pick<World, 'server'>, realm = 'shop'): string =>
  `${server.url}/auth/realms/${realm}/protocol/saml`;

/** A service provider that checks signatures, times, audiences, and the requests that are answered. */
export const providerOf = (world: World, clientId: string, options: Partial<SamlConfig> = {}): SAML =>
  new SAML({
    issuer: clientId,
    callbackUrl: consumer,
    entryPoint: endpoint(world),
    logoutUrl: endpoint(world),
    idpCert: world.certificate,
    idpIssuer: endpoint(world).replace('/protocol/saml', ''),
    privateKey: world.keys.pem,
    audience: clientId,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    validateInResponseTo: 'always' as SamlConfig['validateInResponseTo'],
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    acceptedClockSkewMs: 0,
    ...options,
  });

/** Address and fields of the form that a page sends by itself. */
export function formOf(page: Page): { action: string; fields: Record<string, string> } {
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1];
  if (action === undefined)
    throw new Error(`There is no form on the page (${page.status}): ${page.text.slice(0, 2000)}`);
  const plain = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  const inputs = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: plain(action),
    fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, plain(value)])),
  };
}

/** Logs in on the page that a request leads to, and returns the page with the response. */
export const logIn = (agent: Agent, page: Page, username = 'ann'): Promise<Page> =>
  agent.submit(page, { username, password: `pw-${username}` });

/** The text of the response on a page. */
export const responseOn = (page: Page): string =>
  Buffer.from(formOf(page).fields.SAMLResponse ?? '', 'base64').toString();

/** The last login events of the realm of a type. */
export const eventsOf = async ({ admin }: World, type: string): Promise<Record<string, unknown>[]> =>
  (await admin.send('GET', `/admin/realms/shop/events?type=${type}&max=100`)).body;
