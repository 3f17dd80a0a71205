import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../src/services/keys/certificate.js';
import { administrator, type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'keys';
const passwords = { storePassword: 'storepw', keyPassword: 'storepw' };
const folder = mkdtempSync(join(tmpdir(), 'keystores-'));
let server: TestServer;
let admin: Caller;
let viewer: Caller;
let id: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      accessTokenLifespan: 3600,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      clients: [{ id: 'signer', clientId: 'signer' }],
      users: [
        {
          username: 'viewer',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['view-clients'] },
        },
      ],
    },
    { secretsKey: Buffer.alloc(32, 7) },
  ));
  // keytool can take longer than a token of an administrator is valid
  await admin.send('PUT', '/master', { accessTokenLifespan: 3600 });
  admin = await administrator(server);
  id = 'signer';
  viewer = await userOf(server, realm, 'viewer', 'pw');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (attribute: string, action = '') =>
  `/${realm}/clients/${id}/certificates/${attribute}${action && `/${action}`}`;

/** The bytes of a key store. */
async function bytes(attribute: string, action: string, config: object): Promise<Buffer> {
  const response = await fetch(`${server.url}/auth${path(attribute, action)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(config),
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function upload(attribute: string, file: Uint8Array, fields: Record<string, string>, action = 'upload') {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(file)]), 'keys');
  const response = await fetch(`${server.url}/auth${path(attribute, action)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

function stored(name: string, content: Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const keytool = (...args: string[]): string =>
  execFileSync('keytool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const openssl = (...args: string[]): string =>
  execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const info = async (attribute: string, caller = admin) => (await caller.send('GET', path(attribute))).body;

describe('a key store that is downloaded', () => {
  it.each(['JKS', 'PKCS12'])(
    'opens in keytool as %s, with the key and the certificate of the realm',
    async (format) => {
      await admin.send('POST', path('down', 'generate'));
      const config = { format, keyAlias: 'entry', realmAlias: 'realm', ...passwords };
      const file = stored(`down.${format}`, await bytes('down', 'download', config));
      const access = ['-keystore', file, '-storetype', format, '-storepass', 'storepw'];
      const listing = keytool('-list', ...access);
      expect(listing).toMatch(/entry, .*PrivateKeyEntry/);
      expect(listing).toMatch(/realm, .*trustedCertEntry/);
      const { certificate } = await info('down');
      const exported = keytool('-exportcert', '-alias', 'entry', '-rfc', ...access);
      expect(new X509Certificate(exported).raw.toString('base64')).toBe(certificate);
      // only who has the key can ask for a certificate with it
      expect(keytool('-certreq', '-alias', 'entry', '-keypass', 'storepw', ...access)).toContain('CERTIFICATE REQUEST');
    },
  );

  it('opens in openssl as PKCS12', async () => {
    const file = stored(
      'o.p12',
      await bytes('down', 'download', { format: 'PKCS12', keyAlias: 'entry', ...passwords }),
    );
    const pem = openssl('pkcs12', '-in', file, '-passin', 'pass:storepw', '-nodes', '-nocerts');
    const { privateKey } = await info('down');
    const key = createPrivateKey(pem).export({ format: 'der', type: 'pkcs1' }).toString('base64');
    expect(key).toBe(privateKey);
  });

  it.each(['JKS', 'PKCS12'])('has passwords of their own for store and key as %s, and comes back', async (format) => {
    const own = { format, keyAlias: 'Entry', storePassword: 'store-pw', keyPassword: 'key-pässwörd' };
    const file = await bytes('down', 'download', own);
    const fields = {
      keystoreFormat: format,
      keyAlias: 'entry',
      storePassword: 'store-pw',
      keyPassword: 'key-pässwörd',
    };
    expect((await upload('back', file, fields)).body).toEqual(await info('down'));
    const wrong = await upload('back', file, { ...fields, keyPassword: 'other' });
    expect(wrong.body).toEqual({ certificate: (await info('down')).certificate });
  });

  it.each(['JKS', 'PKCS12'])('comes back as %s in a part without a file name', async (format) => {
    const file = await bytes('down', 'download', { format, keyAlias: 'entry', ...passwords });
    const part = (name: string, type = 'text/plain') =>
      `--limit\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
    const fields = Object.entries({ keystoreFormat: format, keyAlias: 'entry', ...passwords });
    const response = await fetch(`${server.url}/auth${path('nameless', 'upload')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=limit' },
      body: Buffer.concat([
        Buffer.from(fields.map(([name, value]) => `${part(name)}${value}\r\n`).join('')),
        Buffer.from(part('file', 'application/octet-stream')),
        file,
        Buffer.from('\r\n--limit--\r\n'),
      ]),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(await info('down'));
  });

  it('is audited, without anything secret', async () => {
    const { privateKey } = await info('down');
    const { body } = await admin.send('GET', `/${realm}/admin-events?resourcePath=clients*&max=200`);
    const text = JSON.stringify(body);
    expect(text).toContain('certificates/down/download');
    expect(text).not.toContain(privateKey.slice(0, 40));
    expect(text).not.toContain('store-pw');
  });

  it('is the same one when the request is repeated with its idempotency key', async () => {
    const config = { format: 'JKS', ...passwords };
    const send = async () => {
      const response = await fetch(`${server.url}/auth${path('again', 'generate-and-download')}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/json',
          'idempotency-key': 'again',
        },
        body: JSON.stringify(config),
      });
      return Buffer.from(await response.arrayBuffer()).toString('base64');
    };
    const first = await send();
    expect(await send()).toBe(first);
  });

  it('does not leave a new private key on the server', async () => {
    await bytes('once', 'generate-and-download', { format: 'JKS', ...passwords });
    expect(Object.keys(await info('once'))).toEqual(['certificate']);
  });
});

describe('a file that is uploaded', () => {
  it.each(['JKS', 'PKCS12'])('may be a %s of keytool', async (format) => {
    const file = join(folder, `java.${format}`);
    const args = ['-keyalg', 'RSA', '-keysize', '2048', '-dname', 'CN=java', '-alias', 'Mine', '-keystore', file];
    keytool('-genkeypair', ...args, '-storetype', format, '-storepass', 'storepw', '-keypass', 'storepw');
    const fields = { keystoreFormat: format, keyAlias: 'mine', ...passwords };
    const { status, body } = await upload('java', readFileSync(file), fields);
    expect(status).toBe(200);
    const key = createPrivateKey({ key: Buffer.from(body.privateKey ?? '', 'base64'), format: 'der', type: 'pkcs1' });
    expect(new X509Certificate(Buffer.from(body.certificate ?? '', 'base64')).checkPrivateKey(key)).toBe(true);
  });

  it.each([['default'], ['legacy']])('may be a PKCS12 of openssl: %s', async (kind) => {
    const [key, certificate, file] = ['k.pem', 'c.pem', 'o.p12'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=o', '-keyout', key, '-out', certificate);
    const old = kind === 'legacy' ? ['-legacy'] : [];
    openssl(
      'pkcs12',
      '-export',
      ...old,
      '-inkey',
      key,
      '-in',
      certificate,
      '-name',
      'o',
      '-out',
      file,
      '-passout',
      'pass:storepw',
    );
    const { body } = await upload('openssl', readFileSync(file), {
      keystoreFormat: 'PKCS12',
      keyAlias: 'o',
      ...passwords,
    });
    const expected = createPrivateKey(readFileSync(key)).export({ format: 'der', type: 'pkcs1' }).toString('base64');
    expect(body.privateKey).toBe(expected);
  });

  it('changes nothing when it cannot be read, is for another password, or does not fit together', async () => {
    const before = await info('down');
    const jks = await bytes('down', 'download', { format: 'JKS', keyAlias: 'entry', ...passwords });
    const p12 = await bytes('down', 'download', { format: 'PKCS12', keyAlias: 'entry', ...passwords });
    const fields = { keyAlias: 'entry', ...passwords };
    const asked = [
      [jks, { keystoreFormat: 'JKS', ...fields, storePassword: 'wrong' }],
      [p12, { keystoreFormat: 'PKCS12', ...fields, storePassword: 'wrong' }],
      [jks.subarray(0, 200), { keystoreFormat: 'JKS', ...fields }],
      [p12.subarray(0, 900), { keystoreFormat: 'PKCS12', ...fields }],
      [Buffer.from('rubbish'), { keystoreFormat: 'PKCS12', ...fields }],
      [Buffer.alloc(0), { keystoreFormat: 'JKS', ...fields }],
      [Buffer.from('{"keys":[{"kty":"oct","k":"AA"}]}'), { keystoreFormat: 'JSON Web Key Set' }],
      [Buffer.from('rubbish'), { keystoreFormat: 'Public Key PEM' }],
      [Buffer.from('rubbish'), { keystoreFormat: 'Certificate PEM' }],
      [Buffer.from('rubbish'), { keystoreFormat: 'no such format' }],
    ] as const;
    for (const [file, form] of asked) {
      const { status } = await upload('down', file, form);
      expect([form, status]).toEqual([form, 400]);
    }
    expect(await info('down')).toEqual(before);
  });

  it('is refused when the certificate is not for the key', async () => {
    const [one, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
    if (!one || !other) throw new Error('no keys');
    const { writeKeyStore } = await import('../../src/services/client-certificates/key-store.js');
    const entry = {
      alias: 'entry',
      privateKey: one.privateKey.export({ format: 'der', type: 'pkcs8' }),
      certificate: Buffer.from(await selfSignedCertificate(other.privateKey, other.publicKey, 'other'), 'base64'),
    };
    for (const format of ['JKS', 'PKCS12'] as const) {
      const file = await writeKeyStore(format, [entry], 'storepw', 'storepw');
      const { status, body } = await upload('down', file, { keystoreFormat: format, keyAlias: 'entry', ...passwords });
      expect([status, body.error]).toEqual([400, 'invalid-keystore']);
    }
  });
});

describe('private keys', () => {
  it('are not shown to who may only view clients, nor in lists and GraphQL', async () => {
    const { privateKey } = await info('down');
    expect(await info('down', viewer)).not.toHaveProperty('privateKey');
    const list = await viewer.send('GET', `/${realm}/clients?clientId=signer`);
    const query = `{ realm(name: "${realm}") { client(clientId: "signer") {
      attributes { name value } certificate(purpose: "down") { certificate hasPrivateKey }
      certificates { purpose hasPrivateKey } } } }`;
    const answer = await viewer.graphql<{ realm: { client: { certificate: object; certificates: object[] } } }>(query);
    expect(answer.data.realm.client.certificate).toMatchObject({ hasPrivateKey: true });
    expect(answer.data.realm.client.certificates).toContainEqual({ purpose: 'once', hasPrivateKey: false });
    expect(JSON.stringify([list.body, answer])).not.toContain(privateKey.slice(0, 40));
  });

  it('are encrypted in the database', async () => {
    const row = await server.database.read.client.findUniqueOrThrow({ where: { id }, select: { attributes: true } });
    const { 'down.private.key': sealed } = row.attributes as Record<string, string>;
    expect(sealed).toMatch(/^gcm2:/);
  });

  it('round-trip through GraphQL', async () => {
    const client = Buffer.from('Client:signer').toString('base64');
    const run = (name: string, input: object, fields: string) =>
      admin.graphql<
        Record<string, { keyStore?: string; userErrors: object[]; client: { certificate: object } | null }>
      >(
        `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
          ${name}(input: $input) { ${fields} userErrors { code path } } }`,
        { input: { client, ...input } },
      );
    const own = { alias: 'e', storePassword: 'storepw', keyPassword: 'storepw', format: 'JKS' };
    const made = await run('clientCertificateGenerateAndDownload', { purpose: 'graph', ...own }, 'keyStore');
    const file = made.data.clientCertificateGenerateAndDownload?.keyStore;
    const fields = 'client { certificate(purpose: "graph") { hasPrivateKey } }';
    const kept = await run('clientCertificateUpload', { purpose: 'graph', file: { base64: file }, ...own }, fields);
    expect(kept.data.clientCertificateUpload?.client?.certificate).toEqual({ hasPrivateKey: true });
    const wrong = await run(
      'clientCertificateUpload',
      { purpose: 'graph', file: { base64: file }, ...own, alias: 'nobody' },
      fields,
    );
    expect(wrong.data.clientCertificateUpload?.userErrors).toEqual([{ code: 'INVALID', path: ['alias'] }]);
  });
});
