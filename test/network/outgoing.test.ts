import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { openInside } from './sending.js';

const realm = 'reach';
let inside: Awaited<ReturnType<typeof openInside>>;
let server: TestServer;
let open: TestServer;
let admin: Caller;
let permitted: Caller;

const base = () => `http://127.0.0.1:${inside.port}`;

beforeAll(async () => {
  inside = await openInside();
  server = await startServer();
  admin = await administrator(server);
  const { fetchAllowedNetworks } = readConfig({ FETCH_ALLOWED_NETWORKS: `127.0.0.0/8, ${hostname()}` });
  open = await startServer({ databaseUrl: server.services.config.databaseUrl, fetchAllowedNetworks });
  permitted = await administrator(open);
  const client = (clientId: string, more: object) => ({
    clientId,
    publicClient: true,
    directAccessGrantsEnabled: true,
    ...more,
  });
  const created = await admin.send('POST', '/', {
    realm,
    enabled: true,
    clients: [
      client('pushed', { id: 'pushed', adminUrl: `${base()}/pushed` }),
      client('backchannel', { attributes: { 'backchannel.logout.url': `${base()}/backchannel` } }),
      client('hosts', { adminUrl: `http://\${application.session.host}:${inside.port}/hosts` }),
      client('nodes', { adminUrl: `http://public.example:${inside.port}/nodes`, registeredNodes: { '127.0.0.1': 1 } }),
    ],
    users: [{ username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
  });
  expect(created.status).toBe(201);
});

/** Sessions of a user with each client that is told of their end. */
async function logIn(): Promise<void> {
  for (const client_id of ['pushed', 'backchannel', 'hosts']) {
    const form = {
      grant_type: 'password',
      client_id,
      username: 'ann',
      password: 'pw',
      client_session_state: 's',
      client_session_host: `127.0.0.1`,
    };
    const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect(answer.status).toBe(200);
  }
}

/** Every way in which an administrator or a client has the server send something somewhere. */
const ways: [string, (caller: Caller) => Promise<unknown>][] = [
  ['push-revocation', (caller) => caller.send('POST', `/${realm}/push-revocation`)],
  ['logout-all', async (caller) => logIn().then(() => caller.send('POST', `/${realm}/logout-all`))],
  [
    'logout of a user',
    async (caller) => {
      await logIn();
      const [{ id }] = (await caller.send('GET', `/${realm}/users?username=ann`)).body;
      return caller.send('POST', `/${realm}/users/${id}/logout`);
    },
  ],
  [
    'test-nodes-available',
    async (caller) => {
      const [{ id }] = (await caller.send('GET', `/${realm}/clients?clientId=nodes`)).body;
      return caller.send('GET', `/${realm}/clients/${id}/test-nodes-available`);
    },
  ],
  [
    'import-config',
    (caller) =>
      caller.send('POST', `/${realm}/identity-provider/import-config`, { providerId: 'oidc', fromUrl: `${base()}/op` }),
  ],
];

describe('requests to addresses that administrators and clients name', () => {
  it.each(ways)('do not reach the inside by %s', async (_way, go) => {
    const before = inside.heard.length;
    await go(admin);
    expect(inside.heard.slice(before)).toEqual([]);
  });

  it.each(ways)('reach networks that are allowed by %s', async (_way, go) => {
    const before = inside.heard.length;
    await go(permitted);
    expect(inside.heard.length).toBeGreaterThan(before);
  });

  const hosts = [
    '2130706433',
    '017700000001',
    '0x7f.1',
    '127.1',
    '127.0.0.1.',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    hostname(),
  ];
  it.each(hosts)('do not reach the inside as %s', async (host) => {
    const before = inside.heard.length;
    const fromUrl = `http://${host}:${inside.port}/op`;
    const { status } = await admin.send('POST', `/${realm}/identity-provider/import-config`, {
      providerId: 'oidc',
      fromUrl,
    });
    expect(status).toBe(400);
    expect(inside.heard.slice(before)).toEqual([]);
  });

  it.each(['169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '100.100.100.200', '[::ffff:169.254.169.254]'])(
    'are not tried at all at %s',
    async (host) => {
      const { fetchPublic } = server.services;
      await expect(fetchPublic(`http://${host}/latest/meta-data/`)).rejects.toThrow('The address must be public');
    },
  );

  it('are refused by what a name leads to, when the connection is made', async () => {
    // the name of this machine leads to one of its own addresses
    await expect(server.services.fetchPublic(`http://${hostname()}:${inside.port}/`)).rejects.toThrow();
    await expect(server.services.fetchPublic('http://localhost:1/')).rejects.toThrow('must be public');
  });

  it('follow no redirect', async () => {
    const target = await openInside();
    const { fetchPublic } = open.services;
    const redirecting = await openInside(307);
    expect((await fetchPublic(`http://127.0.0.1:${redirecting.port}/`, { method: 'POST', body: 'x' })).status).toBe(
      307,
    );
    expect(target.heard).toEqual([]);
  });

  it('take http and https only', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'gopher://127.0.0.1/']) {
      await expect(open.services.fetchPublic(url)).rejects.toThrow('Only http and https');
    }
  });

  it('have one way out: no other file makes requests', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const others = files
      .filter((name) => !name.startsWith('generated') && !name.endsWith('core/fetch-public.ts'))
      // the command line asks the server that its user names
      .filter((name) => name !== join('cli', 'access', 'http.ts'))
      // a script for browsers
      .filter((name) => !name.endsWith('login/status-pages.ts'))
      .filter((name) =>
        /(?<![\w.])fetch\(|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'|from 'undici'/.test(
          readFileSync(join('src', name), 'utf8'),
        ),
      );
    expect(others).toEqual([]);
  });
});
