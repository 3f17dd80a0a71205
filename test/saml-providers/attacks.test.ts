// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptElement } from '../../src/services/saml/encrypt.js';
import { person } from '../brokering/world.js';
import { noticeOf } from '../login/agent.js';
import { formOf, keyPair } from '../saml/world.js';
import { assertionXml, instant, responseXml, signed } from './idp.js';
import { begin, endpointOf, follow, logInWith, newBrowser, openWorld, type World } from './world.js';

const standard = { algorithm: undefined, keyAlgorithm: undefined, digest: undefined, maskGeneration: undefined };
let world: World;

beforeAll(async () => {
  world = await openWorld({
    people: ['mia', 'nils'].map((name) => person(name)),
    providers: { post: {}, other: {} },
  });
});
afterAll(() => world?.server.close());

/** The response of the provider to a login of this browser, before it is delivered. */
async function responseFor(alias: string, username: string) {
  const { browser, page } = await begin(world, alias);
  const form = await follow(browser, page);
  const to = new RegExp(`/broker/${alias}/endpoint`);
  const done = await follow(browser, await browser.corp.submit(form, { username, password: `pw-${username}` }), to);
  return { browser, ...formOf(done) };
}
const reasonOf = async () =>
  (await world.admin.send('GET', '/admin/realms/shop/events?type=LOGIN_ERROR&max=1')).body[0]?.details.reason;

describe('a response', () => {
  it('counts in the browser that has asked, once, and for one provider', async () => {
    const { browser, action, fields } = await responseFor('post', 'mia');
    const stranger = newBrowser(world);
    expect((await stranger.shop.post(action, fields)).status).toBe(400);
    // a login of the stranger that waits for another response
    const { browser: waiting, page } = await begin(world, 'post');
    const { RelayState = '' } = formOf(page).fields;
    const moved = await follow(waiting, await waiting.shop.post(action, { ...fields, RelayState }));
    expect(noticeOf(moved)).toMatch(/could not be signed in/);
    expect(await reasonOf()).toBe('the response is not accepted: in_response_to');
    // the endpoint of another provider
    expect((await browser.shop.post(endpointOf(world.server, 'other'), fields)).status).toBe(400);
    const [first, second] = await Promise.all([browser.shop.post(action, fields), browser.shop.post(action, fields)]);
    const arrived = [first, second].filter(({ location }) => location?.includes('/login-actions/'));
    expect(arrived.length).toBeLessThan(2);
    expect((await browser.shop.post(action, fields)).status).toBe(400);
  });

  it('that nobody has asked for is refused, and so is one without a login', async () => {
    const { fields, action } = await responseFor('post', 'mia');
    for (const RelayState of ['', 'logout.x', 'x.y', '.'])
      expect((await newBrowser(world).shop.post(action, { ...fields, RelayState })).status).toBeLessThan(500);
    const { SAMLResponse = '' } = fields;
    expect((await newBrowser(world).shop.post(action, { SAMLResponse })).status).toBe(400);
    expect((await newBrowser(world).shop.post(endpointOf(world.server, 'none'), fields)).status).toBe(400);
  });

  it('of somebody else is refused, without a word of it on the page', async () => {
    const { browser, page } = await begin(world, 'post');
    const { fields } = formOf(page);
    const key = await keyPair('evil');
    const id = /ID="([^"]+)"/.exec(Buffer.from(fields.SAMLRequest ?? '', 'base64').toString())?.[1] ?? '';
    const place = endpointOf(world.server, 'post');
    const xml = (text: string) =>
      text
        .replaceAll('ID_request', id)
        .replaceAll('https://id.example/auth/realms/shop/broker/corp/endpoint', place)
        .replaceAll(instant(0), new Date().toISOString());
    const evil = await signed(xml(responseXml(assertionXml())), 'ID_r', { ...key, publicKey: key.privateKey });
    const SAMLResponse = Buffer.from(evil).toString('base64');
    const done = await follow(
      browser,
      await browser.shop.post(place, { RelayState: fields.RelayState ?? '', SAMLResponse }),
    );
    expect(done.text).not.toMatch(/signature|ID_r/);
    expect(await reasonOf()).toBe('the response is not accepted: invalid_signature');
  });
});

describe('a request of a provider for a logout', () => {
  it('has to be signed by it, is acted on once, and ends only the sessions that it names', async () => {
    const mia = await logInWith(world, 'post', { username: 'mia' });
    const profile = { username: 'mia', email: 'mia@corp.example', firstName: 'Mia', lastName: 'M' };
    await follow(mia.browser, await mia.browser.shop.submit(mia.page, profile));
    const sessions = async () => {
      const [user] = (await world.admin.send('GET', '/admin/realms/shop/users?username=mia&exact=true')).body;
      return (await world.admin.send('GET', `/admin/realms/shop/users/${user.id}/sessions`)).body.length;
    };
    expect(await sessions()).toBe(1);
    const place = endpointOf(world.server, 'post');
    const open = (name: string) => `<saml:NameID>${name}</saml:NameID>`;
    const request = (name: string, id: string, named = open(name)) =>
      `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${place}"><saml:Issuer>corp</saml:Issuer>${named}</samlp:LogoutRequest>`;
    const send = async (xml: string) =>
      (await newBrowser(world).shop.post(place, { SAMLRequest: Buffer.from(xml).toString('base64') })).status;
    expect(await send(request('mia', 'ID_1'))).toBe(400);
    const key = await keyPair('evil');
    expect(await send(await signed(request('mia', 'ID_2'), 'ID_2', { ...key, publicKey: key.privateKey }))).toBe(400);
    expect(await sessions()).toBe(1);
    // the provider itself, by a certificate that it gets now
    const path = '/admin/realms/shop/identity-provider/instances/post';
    const { body: before } = await world.admin.send('GET', path);
    const config = { ...before.config, signingCertificate: `${before.config.signingCertificate},${key.certificate}` };
    await world.admin.send('PUT', path, { ...before, config });
    const own = (xml: string, id: string) => signed(xml, id, { ...key, publicKey: key.privateKey });
    expect(await send(await own(request('nils', 'ID_3'), 'ID_3'))).toBe(200);
    expect(await sessions()).toBe(1);
    const secret = await encryptElement(
      '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">mia</saml:NameID>',
      { certificate: world.ownCertificate, ...standard },
    );
    const encrypted = request('mia', 'ID_4', `<saml:EncryptedID>${secret}</saml:EncryptedID>`);
    const good = await own(encrypted, 'ID_4');
    expect(await send(good)).toBe(200);
    expect(await sessions()).toBe(0);
    expect(await send(good)).toBe(400);
    const errors = (await world.admin.send('GET', '/admin/realms/shop/events?type=LOGOUT_ERROR')).body;
    expect(errors.map(({ details }: { details: { reason: string } }) => details.reason)).toEqual([
      'replayed',
      'invalid_signature',
      'unsigned',
    ]);
  });
});
