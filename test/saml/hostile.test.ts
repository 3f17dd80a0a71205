import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { algorithmNamed } from '../../src/services/saml/algorithms.js';
import { signElement } from '../../src/services/saml/sign.js';
import { agentOf, type Page } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import {
  consumer,
  endpoint,
  eventsOf,
  formOf,
  keyPair,
  logIn,
  openWorld,
  providerOf,
  samlClient,
  type World,
} from './world.js';

let world: World;

beforeAll(async () => {
  world = await openWorld((keys) => [
    samlClient(keys, { clientId: 'sp' }),
    samlClient(keys, { clientId: 'old', attributes: { 'saml.signature.algorithm': 'RSA_SHA1' } }),
    samlClient(keys, { clientId: 'open', attributes: { 'saml.client.signature': 'false' } }),
    samlClient(keys, { clientId: 'unset', attributes: { 'saml.signing.certificate': 'AAAA' } }),
  ]);
  await importShop(world.admin, { realm: 'elsewhere', clients: [samlClient(world.keys, { clientId: 'sp' })] });
});

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const assertion = 'urn:oasis:names:tc:SAML:2.0:assertion';
let count = 0;

interface Request {
  id?: string;
  issuer?: string;
  attributes?: Record<string, string | undefined>;
  content?: string;
}

/** A request that is good, but for what a test changes of it. */
function requestXml({ id = `id${++count}`, issuer = 'sp', attributes = {}, content = '' }: Request = {}): string {
  const all: Record<string, string | undefined> = {
    ID: id,
    Version: '2.0',
    IssueInstant: new Date().toISOString(),
    Destination: endpoint(world),
    AssertionConsumerServiceURL: consumer,
    ...attributes,
  };
  const written = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  return `<samlp:AuthnRequest xmlns:samlp="${protocol}" xmlns:saml="${assertion}" ${written.join(' ')}><saml:Issuer>${issuer}</saml:Issuer>${content}</samlp:AuthnRequest>`;
}

const idOf = (xml: string): string => /ID="([^"]*)"/.exec(xml)?.[1] ?? '';

const signed = (xml: string, algorithm = 'RSA_SHA256', key = world.keys): Promise<string> =>
  signElement(xml, idOf(xml), {
    key: key.privateKey,
    certificate: key.certificate,
    kid: '',
    keyName: undefined,
    by: algorithmNamed(algorithm),
    canonicalization: undefined,
  });

const post = (xml: string | Buffer, realm = 'shop'): Promise<Page> =>
  agentOf(world.server).post(endpoint(world, realm), { SAMLRequest: Buffer.from(xml).toString('base64') });

const asksPassword = (page: Page): boolean => page.status === 200 && page.text.includes('name="password"');

/** Sends a document and returns the error of the event, and its reason, if it is refused. */
async function outcome(xml: string | Buffer): Promise<string> {
  const page = await post(xml);
  if (asksPassword(page)) return 'accepted';
  expect(page.status).toBe(400);
  expect(page.headers.get('content-type')).toContain('text/html');
  const [event] = (await eventsOf(world, 'LOGIN_ERROR')) as { error: string; details: { reason?: string } }[];
  return `${event?.error} ${event?.details.reason}`;
}

const signatureOf = (xml: string): string => /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? '';

describe('a signed request', () => {
  it('is accepted as it is, and refused if it is unsigned, changed, or signed by somebody else', async () => {
    const good = await signed(requestXml());
    expect(await outcome(good)).toBe('accepted');
    expect(await outcome(requestXml())).toBe('invalid_signature unsigned');
    expect(await outcome(good.replace('Version="2.0"', 'Version="2.0" ForceAuthn="true"'))).toContain(
      'invalid_signature',
    );
    const stranger = await keyPair('stranger');
    // the certificate in the message is that of the stranger
    expect(await outcome(await signed(requestXml(), 'RSA_SHA256', stranger))).toContain('invalid_signature');
    expect(await outcome(await signed(requestXml({ issuer: 'unset' })))).toBe('invalid_signature no_certificate');
  });

  it('is never read from other bytes than those that were signed', async () => {
    const evil = (content: string, id = 'evil') =>
      requestXml({ id, attributes: { AssertionConsumerServiceURL: 'http://evil.example/' }, content });
    const good = await signed(requestXml({ id: 'good' }));
    const signature = signatureOf(good);
    const bare = good.replace(signature, '');
    const withObject = (object: string) =>
      signature.replace('</ds:Signature>', `<ds:Object>${object}</ds:Object></ds:Signature>`);
    const withKeyInfo = (inner: string) => signature.replace('</ds:KeyInfo>', `${inner}</ds:KeyInfo>`);
    const shapes = {
      'the signature moved into another document': evil(signature),
      'the original behind the signature': evil(signature + bare),
      'the original before the signature': evil(bare + signature),
      'the signed original as a child': evil(good),
      'the original in an extension': evil(`${signature}<samlp:Extensions>${bare}</samlp:Extensions>`),
      'the original in an object of the signature': evil(withObject(bare)),
      'the original in the key of the signature': evil(withKeyInfo(bare)),
      'the same ID': evil(signature, 'good'),
      'the same ID with the original': evil(signature + bare, 'good'),
      'the same ID under another name': evil(signature + bare.replace(' ID=', ' Id='), 'good'),
      'the whole signed document in an object': evil(withObject(good)),
      'the signature of the child copied': evil(signature + good),
    };
    const before = (await eventsOf(world, 'LOGOUT_ERROR')).length;
    for (const [name, xml] of Object.entries(shapes)) {
      expect(await outcome(xml), name).toMatch(/^invalid_(signature|token)/);
      // what was signed for a login ends no session either
      const logout = xml
        .replace('<samlp:AuthnRequest', '<samlp:LogoutRequest')
        .replace(/AuthnRequest>$/, 'LogoutRequest>');
      expect((await post(logout)).status, name).toBe(400);
    }
    const errors = await eventsOf(world, 'LOGOUT_ERROR');
    expect(errors.length).toBeGreaterThan(before);
    expect(errors.every(({ error }) => error === 'invalid_signature')).toBe(true);
  });

  it('is refused if it is a signed login request with the name of a logout', async () => {
    const good = await signed(requestXml());
    expect((await post(good.replaceAll('AuthnRequest', 'LogoutRequest'))).status).toBe(400);
    const [event] = await eventsOf(world, 'LOGOUT_ERROR');
    expect(event).toMatchObject({ clientId: 'sp', error: 'invalid_signature' });
  });

  it('has one signature with one reference, to itself, and no other transforms', async () => {
    const good = await signed(requestXml());
    const reference = /<ds:Reference[\s\S]*<\/ds:Reference>/.exec(good)?.[0] ?? '';
    const info = /<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/.exec(good)?.[0] ?? '';
    const id = idOf(good);
    const transform = (uri: string) =>
      good.replace('<ds:Transforms>', `<ds:Transforms><ds:Transform Algorithm="${uri}"/>`);
    const changed = {
      'two references': good.replace(reference, reference + reference),
      'no reference': good.replace(reference, ''),
      'two signed parts': good.replace(info, info + info),
      'two signatures': good.replace(signatureOf(good), signatureOf(good) + signatureOf(good)),
      'an empty address': good.replace(`URI="#${id}"`, 'URI=""'),
      'an address elsewhere': good.replace(`URI="#${id}"`, 'URI="http://evil.example/"'),
      'a pointer': good.replace(`URI="#${id}"`, `URI="#xpointer(id('${id}'))"`),
      XSLT: transform('http://www.w3.org/TR/1999/REC-xslt-19991116'),
      XPath: transform('http://www.w3.org/TR/1999/REC-xpath-19991116'),
      'base64 as a transform': transform('http://www.w3.org/2000/09/xmldsig#base64'),
      'a secret in place of a key': good.replace(
        /SignatureMethod Algorithm="[^"]*"/,
        'SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1"',
      ),
      'a weaker digest': good.replace(
        /DigestMethod Algorithm="[^"]*"/,
        'DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"',
      ),
      'another digest inside of the value': good.replace(/<ds:DigestValue>/, '<ds:DigestValue><x xmlns="">AAAA</x>'),
      'a method hidden in the key': good
        .replace('<ds:KeyInfo>', '<ds:KeyInfo><ds:SignatureMethod Algorithm="x"/>')
        .replace(/<ds:SignatureMethod Algorithm="http[^>]*>/, ''),
    };
    for (const [name, xml] of Object.entries(changed)) {
      expect(xml, name).not.toBe(good);
      expect(await outcome(xml), name).toMatch(/^invalid_(signature|token)/);
    }
  });

  it('uses SHA-1 only if the settings of the client name it', async () => {
    expect(await outcome(await signed(requestXml(), 'RSA_SHA1'))).toBe('invalid_signature unsupported_algorithm');
    expect(await outcome(await signed(requestXml({ issuer: 'old' }), 'RSA_SHA1'))).toBe('accepted');
    for (const algorithm of ['RSA_SHA512', 'RSA_SHA256_MGF1', 'RSA_SHA512_MGF1']) {
      expect(await outcome(await signed(requestXml(), algorithm)), algorithm).toBe('accepted');
    }
  });

  it('is refused for another address, another realm, another time, or another client', async () => {
    const refused = async (attributes: Record<string, string | undefined>) =>
      outcome(await signed(requestXml({ attributes })));
    expect(await refused({ Destination: 'http://other.example/' })).toBe('invalid_authn_request invalid_destination');
    expect(await refused({ Destination: undefined })).toBe('invalid_authn_request missing_required_destination');
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await refused({ IssueInstant: at(-11) })).toBe('invalid_authn_request issue_instant');
    expect(await refused({ IssueInstant: at(11) })).toBe('invalid_authn_request issue_instant');
    expect(await refused({ IssueInstant: 'yesterday' })).toBe('invalid_authn_request issue_instant');
    expect(await refused({ IssueInstant: undefined })).toBe('invalid_authn_request issue_instant');
    expect(await refused({ Version: '1.1' })).toBe('invalid_authn_request version');
    expect(await refused({ ID: "x' or '1'='1" })).toMatch(/^invalid_/);
    expect(asksPassword(await post(await signed(requestXml()), 'elsewhere'))).toBe(false);
    const forElsewhere = await signed(requestXml({ attributes: { Destination: endpoint(world, 'elsewhere') } }));
    expect(asksPassword(await post(forElsewhere, 'elsewhere'))).toBe(true);
    expect(await outcome(forElsewhere)).toBe('invalid_authn_request invalid_destination');
  });

  it('is answered once', async () => {
    const xml = await signed(requestXml());
    const [first, second] = [agentOf(world.server), agentOf(world.server)];
    const sent = { SAMLRequest: Buffer.from(xml).toString('base64') };
    const pages = [await first.post(endpoint(world), sent), await second.post(endpoint(world), sent)];
    const done = await logIn(first, pages[0] as Page);
    expect(formOf(done).fields).toHaveProperty('SAMLResponse');
    const replayed = await logIn(second, pages[1] as Page, 'bob');
    expect(replayed.status).toBe(400);
    expect(replayed.text).not.toContain('SAMLResponse');
  });
});

describe('a signed query', () => {
  it('is verified as it was sent, with one value of each parameter', async () => {
    const url = await providerOf(world, 'sp').getAuthorizeUrlAsync('r', undefined, {});
    const get = async (address: string) => asksPassword(await agentOf(world.server).get(address));
    expect(await get(url)).toBe(true);
    expect(await get(`${url}&more=1`)).toBe(true);
    expect(await get(url.replace('RelayState=r', 'RelayState=s'))).toBe(false);
    expect(await get(url.replace('RelayState=r', ''))).toBe(false);
    expect(await get(`${url}&RelayState=s`)).toBe(false);
    expect(await get(`${url}&SAMLRequest=AAAA`)).toBe(false);
    expect(await get(`${url}&SAMLResponse=AAAA`)).toBe(false);
    expect(await get(url.replace(/&Signature=.*$/, ''))).toBe(false);
    expect(
      await get(
        url.replace(/SigAlg=[^&]*/, `SigAlg=${encodeURIComponent('http://www.w3.org/2000/09/xmldsig#hmac-sha1')}`),
      ),
    ).toBe(false);
    const weak = providerOf(world, 'sp', { signatureAlgorithm: 'sha1' });
    expect(await get(await weak.getAuthorizeUrlAsync('r', undefined, {}))).toBe(false);
    // the signature of a document does not count in a query
    const embedded = deflateRawSync(await signed(requestXml())).toString('base64');
    expect(await get(`${endpoint(world)}?SAMLRequest=${encodeURIComponent(embedded)}`)).toBe(false);
  });
});

describe('a message', () => {
  const open = (more: Request = {}) => requestXml({ issuer: 'open', ...more });

  it('without entities, and other markup on which parsers differ', async () => {
    expect(await outcome(open())).toBe('accepted');
    expect(await outcome(`<?xml version="1.0" encoding="UTF-8"?>\n${open()}`)).toBe('accepted');
    const bomb = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const file = '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
    for (const xml of [
      bomb + open().replace('>open<', '>&b;<'),
      file + open().replace('>open<', '>&a;<'),
      `<!DOCTYPE r SYSTEM "http://evil.example/x.dtd">${open()}`,
      open().replace('>open<', '>op<!-- -->en<'),
      open().replace('>open<', '><![CDATA[open]]><'),
      open().replace('>open<', '>op<?x y?>en<'),
      open().replace('>open<', '>&nbsp;<'),
      open().replace('>open<', '>&#0;<'),
      open().replace('>open<', '>op\0en<'),
      `<?xml version="1.0" encoding="UTF-7"?>${open()}`,
      `${open()}${open()}`,
      `${open()}text`,
      open().replace('</samlp:AuthnRequest>', ''),
      open().replace('Version="2.0"', 'Version="2.0" Version="2.0"'),
      'not xml',
      '<a',
    ]) {
      expect(await outcome(xml), xml).toMatch(/^invalid_token/);
    }
    expect(await outcome(Buffer.from([0xff, 0xfe, 0x3c, 0x00]))).toMatch(/^invalid_token/);
  });

  it('is bounded in its size, its depth, and its elements', async () => {
    const extension = (inner: string) => open({ content: `<samlp:Extensions>${inner}</samlp:Extensions>` });
    expect(await outcome(extension('<a/>'.repeat(100)))).toBe('accepted');
    expect(await outcome(extension('<a/>'.repeat(5000)))).toBe('invalid_token too_many_elements');
    expect(await outcome(extension('<a>'.repeat(60) + '</a>'.repeat(60)))).toBe('invalid_token too_deep');
    const attributes = Array.from({ length: 4000 }, (_, at) => `a${at}=""`).join(' ');
    expect(await outcome(extension(`<a ${attributes}/>`))).toBe('invalid_token too_many_elements');
    expect(await outcome(extension('x'.repeat(49_000)))).toBe('accepted');
    for (const length of [50_001, 3_000_000]) {
      const huge = deflateRawSync(extension('x'.repeat(length))).toString('base64');
      const page = await agentOf(world.server).get(`${endpoint(world)}?SAMLRequest=${encodeURIComponent(huge)}`);
      expect(page.status).toBe(400);
    }
  });

  it('is what its parameter says', async () => {
    const agent = agentOf(world.server);
    const response = open().replaceAll('AuthnRequest', 'Response');
    expect(await outcome(response)).toBe('invalid_authn_request undefined');
    expect(await outcome(open().replace(protocol, 'urn:other'))).toBe('invalid_authn_request undefined');
    expect(await outcome(open({ issuer: 'open</saml:Issuer><saml:Issuer>sp' }))).toBe(
      'invalid_authn_request several_Issuer',
    );
    expect(await outcome(open({ issuer: '<x>open</x>' }))).toBe('invalid_authn_request markup_in_text');
    for (const form of ['', 'SAMLRequest=', 'SAMLRequest=***', 'SAMLRequest=AA&SAMLResponse=AA']) {
      expect((await agent.post(endpoint(world), new URLSearchParams(form))).status).toBe(400);
    }
    const answer = { SAMLResponse: Buffer.from(response.replaceAll('Response', 'LogoutResponse')).toString('base64') };
    expect((await agent.post(endpoint(world), answer)).status).toBe(400);
  });

  it('does not reach the page but as text', async () => {
    const relayState = '"><script>alert(1)</script>';
    const agent = agentOf(world.server);
    const page = await agent.post(endpoint(world), {
      SAMLRequest: Buffer.from(open()).toString('base64'),
      RelayState: relayState,
    });
    const done = await logIn(agent, page);
    expect(formOf(done).fields.RelayState).toBe(relayState);
    expect(done.text).not.toContain('<script>alert');
    const long = await agent.post(endpoint(world), {
      SAMLRequest: Buffer.from(open()).toString('base64'),
      RelayState: 'x'.repeat(5000),
    });
    expect(long.status).toBe(400);
  });
});
