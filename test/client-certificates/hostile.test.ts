import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database.js';
import { type Caller, login, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'hostile';
const passwords = { storePassword: 'storepw', keyPassword: 'storepw' };
const folder = temporaryFolder();
const outside = temporaryFolder();
let server: TestServer;
let admin: Caller;
let client: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    { realm, enabled: true, clients: [{ clientId: 'signer' }] },
    { keyStoreFolder: folder },
  ));
  [{ id: client }] = (await admin.send('GET', `/${realm}/clients?clientId=signer`)).body;
  const store = await keyStore();
  writeFileSync(join(folder, 'right.p12'), store);
  writeFileSync(join(outside, 'outside.p12'), store);
  symlinkSync(join(outside, 'outside.p12'), join(folder, 'link.p12'));
  writeFileSync(join(folder, 'broken.p12'), 'no key store');
  writeFileSync(join(folder, 'large.p12'), Buffer.alloc(1_048_577));
  execFileSync('mkfifo', [join(folder, 'pipe.p12')]);
});

const certificates = (action: string) => `/${realm}/clients/${client}/certificates/jwt.credential/${action}`;

/** A PKCS #12 store with a key of the client. */
async function keyStore(): Promise<Buffer> {
  const response = await fetch(`${server.url}/auth${certificates('generate-and-download')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'PKCS12', keyAlias: 'own', ...passwords }),
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function upload(file: Uint8Array): Promise<{ status: number; text: string }> {
  const form = new FormData();
  const fields = { keystoreFormat: 'PKCS12', keyAlias: 'own', ...passwords };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(file)]), 'keys');
  const response = await fetch(`${server.url}/auth${certificates('upload')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  return { status: response.status, text: await response.text() };
}

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return der(2, bytes);
};
const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
const data = oid('2a864886f70d010701');
const encryptedData = oid('2a864886f70d010706');

/** A store whose integrity takes so many rounds to look at. */
const withRounds = (rounds: number, content = der(0x30)): Buffer => {
  const digest = der(0x30, oid('2b0e03021a'), der(5));
  const mac = der(0x30, der(0x30, digest, der(4, Buffer.alloc(20))), der(4, Buffer.alloc(8)), number(rounds));
  return der(0x30, der(2, Buffer.from([3])), der(0x30, data, der(0xa0, der(4, content))), mac);
};

/** A part of a store that takes so many rounds to open. */
const costlyPart = (rounds: number): Buffer => {
  const algorithm = der(0x30, oid('2a864886f70d010c0103'), der(0x30, der(4, Buffer.alloc(8)), number(rounds)));
  const content = der(0x30, data, algorithm, der(0x80, Buffer.alloc(8)));
  return der(0x30, encryptedData, der(0xa0, der(0x30, der(2, Buffer.from([0])), content)));
};

describe('a key store', () => {
  it.each([
    ['too many rounds of its integrity', () => withRounds(2_000_000_000)],
    ['no rounds at all', () => withRounds(0, der(0x30, costlyPart(0)))],
    ['too many rounds of all parts together', () => withRounds(1, Buffer.concat(Array(9).fill(costlyPart(99_000))))],
    ['too many parts', () => withRounds(1, der(0x30, ...Array(5000).fill(der(5))))],
  ])('with %s is refused', async (_, store) => {
    const { status } = await upload(store());
    expect(status).toBe(400);
  });

  it('that takes long to open holds up nobody', async () => {
    let isOver = false;
    const slow = upload(withRounds(290_000)).then((answer) => {
      isOver = true;
      return answer;
    });
    await admin.send('GET', `/${realm}`);
    await login(server, 'master', 'admin', 'admin');
    expect(isOver).toBe(false);
    expect((await slow).status).toBe(400);
  });

  it('is read as a file below its folder only, and what is wrong with another one is not said', async () => {
    const provider = (keystore: string) => ({
      name: keystore,
      providerId: 'java-keystore',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: {
        keystore: [keystore],
        keystorePassword: ['storepw'],
        keyAlias: ['own'],
        keyPassword: ['storepw'],
      },
    });
    const add = (path: string) => admin.send('POST', `/${realm}/components`, provider(path));
    const paths = [
      'missing.p12',
      'pipe.p12',
      join(folder, 'pipe.p12'),
      'link.p12',
      'broken.p12',
      'large.p12',
      '.',
      '..',
      `../${outside.split('/').at(-1)}/outside.p12`,
      join(outside, 'outside.p12'),
      '/etc/passwd',
      '/dev/zero',
    ];
    for (const path of paths) {
      const { status, body } = await add(path);
      const text = `Failed to load keys. File not found on server. ${path} (No such file or directory)`;
      expect([path, status, body.errorMessage]).toEqual([path, 400, text]);
    }
    expect((await add('right.p12')).status).toBe(201);
    expect((await add(join(folder, 'right.p12'))).status).toBe(201);
  });
});

describe('passwords that take long to verify', () => {
  const stored = (hashIterations: number) => ({
    type: 'password',
    credentialData: JSON.stringify({ hashIterations, algorithm: 'pbkdf2-sha256' }),
    secretData: JSON.stringify({ value: Buffer.alloc(32).toString('base64'), salt: 'c2FsdA==' }),
  });
  const old = { type: 'password', hashedSaltedValue: 'AAAA', salt: 'AAAA', hashIterations: 10_000_000 };

  it.each([stored(10_000_000), old])('are not taken over: %j', async (credential) => {
    const user = { username: 'ann', enabled: true, credentials: [credential] };
    const answers = [
      await admin.send('POST', `/${realm}/users`, user),
      await admin.send('POST', '/', { realm: 'slow', enabled: true, users: [user] }),
      await admin.send('POST', `/${realm}/partialImport`, { users: [user] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('are not asked for by a policy', async () => {
    const { status } = await admin.send('PUT', `/${realm}`, { passwordPolicy: 'hashIterations(10000000)' });
    expect(status).toBe(400);
  });

  it('hold up no login of another realm', async () => {
    const user = { username: 'ann', enabled: true, credentials: [stored(400_000)] };
    expect((await admin.send('POST', '/', { realm: 'slow', enabled: true, users: [user] })).status).toBe(201);
    let waiting = 6;
    const slow = Array.from({ length: waiting }, () =>
      login(server, 'slow', 'ann', 'wrong')
        .catch(() => undefined)
        .then(() => {
          waiting -= 1;
        }),
    );
    await login(server, 'master', 'admin', 'admin');
    expect(waiting).toBeGreaterThan(0);
    await Promise.all(slow);
  });
});

describe('XML', () => {
  it.each([
    ['twenty thousand levels', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`],
    ['levels with attributes that look like ends', `${'<a b="/>">'.repeat(5000)}${'</a>'.repeat(5000)}`],
    [
      'an element named __proto__',
      '<md:EntityDescriptor xmlns:md="x"><__proto__><a/></__proto__></md:EntityDescriptor>',
    ],
    ['an attribute named __proto__', '<md:EntityDescriptor xmlns:md="x" __proto__="y"/>'],
    ['an element named constructor', '<EntityDescriptor><constructor><prototype/></constructor></EntityDescriptor>'],
  ])('with %s is refused', async (_, text) => {
    const { status } = await admin.send('POST', `/${realm}/client-description-converter`, text, {
      'content-type': 'application/xml',
    });
    expect(status).toBe(400);
  });
});
