// @both-databases
import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { header, newAuthority, newPair, type Pair } from '../oauth/certificates.js';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, authorizationUrl, linkOf, type Page } from './agent.js';
import { arrivesAt, byAttribute, byPart, directGrant, openLogin, realmWith, x509 } from './certificate-realm.js';
import { callback, importShop, shop } from './realm.js';

// Users log in by the certificate of the connection, which a proxy passes on (RFC 9440), with steps of the contract.

let server: TestServer;
let admin: Caller;
let ann: Pair;
let nobody: Pair;
let later = 0;
beforeAll(async () => {
  server = await startServer({ trustProxy: 1, clientCertificateHeader: header }, () => Date.now() + later);
  admin = await administrator(server);
  const folder = temporaryFolder();
  const signed = newAuthority(folder);
  ann = newPair(
    folder,
    'ann',
    '/C=DE/O=Acme/CN=ann/emailAddress=ann@example.org',
    '-days',
    '2',
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-set_serial',
    '0x0a1b',
    '-addext',
    'keyUsage=digitalSignature',
    '-addext',
    'extendedKeyUsage=clientAuth',
    '-addext',
    'subjectAltName=email:ann@example.org,otherName:1.3.6.1.4.1.311.20.2.3;UTF8:ann',
  );
  nobody = signed('nobody', '/CN=nobody');
});

const open = (realm: string, pair?: Pair) => openLogin(server, realm, pair);
const arrives = (realm: string, pair?: Pair) => arrivesAt(server, realm, pair);
const direct = (realm: string, pair?: Pair, more: Record<string, string> = {}) =>
  directGrant(server, realm, pair, more);

describe('a certificate', () => {
  it('logs its user in, in a browser and without one, and nobody else', async () => {
    await realmWith(admin, 'plain', byPart("Subject's Common Name"));
    expect(await arrives('plain', ann)).toBe('logged in');
    expect((await direct('plain', ann)).status).toBe(200);
    for (const pair of [undefined, nobody]) {
      expect(await arrives('plain', pair)).toBe('asked');
      expect((await direct('plain', pair)).status).toBe(401);
    }
    const { body: events } = await admin.send('GET', '/admin/realms/plain/events?type=LOGIN_ERROR');
    const told = events.map(({ details }: { details: Record<string, string> }) => [
      details.reason,
      details.x509_cert_subject_distinguished_name,
    ]);
    expect(told).toContainEqual(['no_user', 'CN=nobody']);
  });

  it('is none if the proxy may have added its own to that of the sender', async () => {
    const agent = agentOf(server, { [header]: `${ann.escaped},${nobody.escaped}` });
    const page = await agent.get(authorizationUrl('plain', { client_id: 'app', redirect_uri: callback }));
    expect(page.text).toContain('name="password"');
  });

  it.each<[string, Record<string, string>, object?]>([
    ['subject', byPart('Match SubjectDN using regular expression', { 'regular-expression': 'CN=(.*?)(?:,|$)' })],
    ['email', byPart("Subject's e-mail")],
    ['alternative', byPart("Subject's Alternative Name E-mail")],
    ['upn', byPart("Subject's Alternative Name otherName (UPN)")],
    [
      'issuer',
      byAttribute('Match IssuerDN using regular expression', 'issuer', { 'regular-expression': 'CN=(.*)' }),
      { issuer: ['Authority'] },
    ],
    [
      'canonical',
      byAttribute('Match SubjectDN using regular expression', 'dn', { 'canonical-dn-enabled': 'true' }),
      { dn: ['emailaddress=ann@example.org,cn=ann,o=acme,c=de'] },
    ],
    ['serial', byAttribute('Certificate Serial Number', 'serial'), { serial: ['2587'] }],
    [
      'hex',
      byAttribute('Certificate Serial Number', 'serial', { 'serialnumber-hex-enabled': 'true' }),
      { serial: ['a1b'] },
    ],
    [
      'both',
      byAttribute('Certificate Serial Number and IssuerDN', 'serial##issuer'),
      { serial: ['2587'], issuer: ['CN=Authority'] },
    ],
    [
      'usages',
      byPart("Subject's Common Name", { keyusage: 'digitalSignature', extendedkeyusage: '1.3.6.1.5.5.7.3.2' }),
    ],
  ])('names its user by what the step says: %s', async (realm, settings, attributes) => {
    const [, ...others] = shop.users;
    const [first] = shop.users;
    await importOne(realm, settings, [{ ...first, ...(attributes && { attributes }) }, ...others]);
    expect(await arrives(realm, ann)).toBe('logged in');
  });

  it('names its user by its thumbprint, or as a whole', async () => {
    const { raw, fingerprint256 } = new X509Certificate(ann.cert);
    const [first, ...others] = shop.users;
    for (const [realm, source, value] of [
      ['thumbprint', 'SHA-256 Thumbprint', fingerprint256.replaceAll(':', '').toLowerCase()],
      ['whole', 'Full Certificate in PEM format', raw.toString('base64')],
    ] as const) {
      await importOne(realm, byAttribute(source), [{ ...first, attributes: { usercertificate: [value] } }, ...others]);
      expect(await arrives(realm, ann)).toBe('logged in');
      expect(await arrives(realm, nobody)).toBe('asked');
    }
  });

  it.each([
    ['key-usage', { keyusage: 'keyAgreement' }, 'key_usage'],
    ['purpose', { extendedkeyusage: '1.3.6.1.5.5.7.3.1' }, 'extended_key_usage'],
    ['revocation', { 'crl-checking-enabled': 'true' }, 'revocation_unknown'],
    ['status', { 'ocsp-checking-enabled': 'true' }, 'revocation_unknown'],
    [
      'pattern',
      { 'mapping-source-selection': 'Match SubjectDN using regular expression', 'regular-expression': 'UID=(.*)' },
      'no_identity',
    ],
  ])('that does not count is passed by: %s', async (realm, more, reason) => {
    await realmWith(admin, realm, byPart("Subject's Common Name", more));
    expect(await arrives(realm, ann)).toBe('asked');
    const [event] = (await admin.send('GET', `/admin/realms/${realm}/events?type=LOGIN_ERROR`)).body;
    expect(event.details.reason).toBe(reason);
  });

  it('of several users, or of one who is disabled, logs nobody in', async () => {
    const [first, second] = shop.users;
    const attributes = { usercertificate: ['2587'] };
    await importOne('several', byAttribute('Certificate Serial Number'), [
      { ...first, attributes },
      { ...second, attributes },
    ]);
    expect(await arrives('several', ann)).toBe('asked');
    await importOne('disabled', byPart("Subject's Common Name"), [{ ...first, enabled: false }]);
    expect(await arrives('disabled', ann)).toContain('This account is disabled');
    expect((await direct('disabled', ann)).body.error_description).toBe('Account disabled');
    const half = byAttribute('Certificate Serial Number and IssuerDN', 'serial');
    await importOne('half', half, [{ ...first, attributes: { serial: ['2587'] } }]);
    expect(await arrives('half', ann)).toBe('asked');
  });

  it('is shown before the login goes on, unless the step says otherwise', async () => {
    await realmWith(admin, 'asks', byPart("Subject's Common Name", { 'confirmation-page-disallowed': 'false' }));
    const { agent, page } = open('asks', ann);
    const shown: Page = await page;
    expect(shown.text).toContain('CN=ann');
    expect((await agent.submit(shown, { continue: '' })).location).toContain(`${callback}?`);
    const other = open('asks', ann);
    const form = await other.agent.submit(await other.page, { other: '' });
    expect(form.text).toContain('name="password"');
    // somebody else's certificate by now
    const changed = open('asks', ann);
    const before = await changed.page;
    const thief = agentOf(server, { [header]: nobody.escaped });
    for (const [name, value] of changed.agent.cookies) thief.cookies.set(name, value);
    expect((await thief.submit(before, { continue: '' })).text).toContain('name="password"');
    expect(() => linkOf(before, '/broker/')).toThrow();
  });
});

describe('a direct grant that asks for a certificate and a password', () => {
  it.each([
    ['first', ['direct-grant-auth-x509-username', 'direct-grant-validate-username', 'direct-grant-validate-password']],
    ['last', ['direct-grant-validate-username', 'direct-grant-validate-password', 'direct-grant-auth-x509-username']],
  ])('takes those of one user only: the certificate %s', async (order, authenticators) => {
    const realm = `both-${order}`;
    const executions = authenticators.map((authenticator, at) => ({
      authenticator,
      requirement: 'REQUIRED',
      priority: at,
      ...(authenticator.includes('x509') && { authenticatorConfig: 'certificate' }),
    }));
    const flow = { alias: 'both', providerId: 'basic-flow', topLevel: true, builtIn: false };
    await importShop(admin, {
      realm,
      directGrantFlow: 'both',
      authenticatorConfig: [{ alias: 'certificate', config: x509(byPart("Subject's Common Name")) }],
      authenticationFlows: [{ ...flow, authenticationExecutions: executions }],
      clients: [...shop.clients, { clientId: 'tool', publicClient: true, directAccessGrantsEnabled: true }],
    });
    const [, other] = shop.users;
    const name = other?.username ?? '';
    expect((await direct(realm, ann, { username: 'ann', password: 'pw-ann' })).status).toBe(200);
    expect((await direct(realm, ann, { username: name, password: `pw-${name}` })).status).toBe(401);
  });
});

describe('a certificate that has expired', () => {
  it('logs nobody in, unless the step says otherwise', async () => {
    await realmWith(admin, 'strict', byPart("Subject's Common Name"));
    await realmWith(admin, 'lenient', byPart("Subject's Common Name", { 'timestamp-validation-enabled': 'false' }));
    later = 3 * 86_400_000;
    expect(await arrives('strict', ann)).toBe('asked');
    expect(await arrives('lenient', ann)).toBe('logged in');
    later = 0;
  });
});

/** A realm with these users only. */
const importOne = (realm: string, settings: Record<string, string>, users: readonly (object | undefined)[]) =>
  realmWith(admin, realm, settings, [], [{ users: users.filter(Boolean) }]);
