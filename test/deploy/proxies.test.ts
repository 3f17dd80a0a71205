import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { installedProxies, type ProxyName, startProxy } from '../support/proxies.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'behind';
const files: Record<ProxyName, string> = {
  haproxy: 'deploy/proxies/haproxy.cfg',
  nginx: 'deploy/proxies/nginx.conf',
  caddy: 'deploy/proxies/Caddyfile',
};

let server: TestServer;
let admin: Caller;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const certificate = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names];
  execFileSync('openssl', [...certificate, '-keyout', 'realmgate.key', '-out', 'realmgate.crt'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const [key, crt] = ['realmgate.key', 'realmgate.crt'].map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, 'realmgate.pem'), `${crt}${key}`);
  server = await startServer({ trustProxy: 1 });
  admin = await administrator(server);
  const made = await admin.send('POST', '/', { realm, enabled: true, eventsEnabled: true, adminEventsEnabled: true });
  expect(made.status).toBe(201);
  admin = await administrator(server);
});

/** Starts a proxy with its example, on this machine. `change` is made to the text. */
async function started(name: ProxyName, change: (text: string) => string = (text) => text): Promise<string> {
  const { port } = new URL(server.url);
  const url = await startProxy(name, [Number(port)], (own, _ports, its) => {
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${its}/${kind};`,
    );
    return change(readFileSync(files[name], 'utf8'))
      .replace(/realmgate-[12]:8080/g, `127.0.0.1:${port}`)
      .replace(
        /(bind :|listen )443/,
        (_all, word: string) => `${word === 'bind :' ? 'bind 127.0.0.1:' : 'listen 127.0.0.1:'}${own}`,
      )
      .replace(/\/etc\/(haproxy|nginx)/g, folder)
      .replace(
        'id.example {',
        `{\nadmin off\nauto_https off\n}\nhttps://localhost:${own} {\ntls ${folder}/realmgate.crt ${folder}/realmgate.key`,
      )
      .replace('events {}', `events {}\ndaemon off;\npid ${its}/nginx.pid;\nerror_log ${its}/error.log;`)
      .replace('http {', `http {\naccess_log off;\n${paths.join('\n')}`);
  });
  return url.replace('http://127.0.0.1', 'https://localhost');
}

/** The answer to a request over TLS. */
const send = (url: string, headers: Record<string, string> = {}, body?: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const ca = readFileSync(join(folder, 'realmgate.crt'));
    const sent = request(url, { ca, method: body === undefined ? 'GET' : 'POST', headers }, resolve);
    sent.once('error', reject).end(body);
  });

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer) text += String(part);
  return text;
}

describe.each(installedProxies)('the example for %s', (name) => {
  let url: string;
  beforeAll(async () => {
    url = await started(name);
  });

  it('passes on the host, the protocol, and the address of a login', async () => {
    const issued = JSON.parse(await textOf(await send(`${url}/auth/realms/${realm}/.well-known/openid-configuration`)));
    expect(issued.issuer).toBe(`${url}/auth/realms/${realm}`);
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '6.6.6.6' };
    const login = 'grant_type=password&client_id=admin-cli&username=nobody&password=wrong';
    const refused = await send(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, form, login);
    expect(refused.statusCode).toBe(401);
    const { body: events } = await admin.send('GET', `/${realm}/events?max=1`);
    expect(events).toMatchObject([{ ipAddress: '127.0.0.1' }]);
  });

  it('passes on event streams and WebSockets', async () => {
    const query = `subscription { adminEvents(realm: "${(await admin.send('GET', `/${realm}`)).body.id}") { cursor } }`;
    const headers = {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    };
    const stream = await send(`${url}/graphql`, headers, JSON.stringify({ query }));
    expect(stream.headers['content-type']).toContain('text/event-stream');
    let text = '';
    stream.on('data', (part) => (text += String(part)));
    await expect.poll(() => text, { timeout: 10_000 }).not.toBe('');
    stream.destroy();

    const ca = readFileSync(join(folder, 'realmgate.crt'));
    const socket = new WebSocket(`${url.replace('https', 'wss')}/graphql`, 'graphql-transport-ws', { ca });
    const acknowledged = new Promise((resolve, reject) => {
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
      socket.once('error', reject);
    });
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${admin.token}` } })),
    );
    expect(await acknowledged).toMatchObject({ type: 'connection_ack' });
    socket.terminate();
  });

  it('exposes to others what logins need, and nothing inside', async () => {
    const outside = await started(name, (text) => text.replace(/127\.0\.0\.0\/8( +1;)?/, '192.0.2.0/24$1'));
    const paths = [
      '/',
      '/metrics',
      '/health/ready',
      '/graphql',
      '/console/',
      '/auth/admin/realms',
      `/auth/${realm}/users`,
    ];
    const statusOf = async (base: string, path: string) => (await send(`${base}${path}`)).statusCode;
    expect(await Promise.all(paths.map((path) => statusOf(outside, path)))).toEqual(paths.map(() => 404));
    expect(await statusOf(outside, `/auth/realms/${realm}`)).toBe(200);
    const administered = await Promise.all(paths.map((path) => statusOf(url, path)));
    expect(administered).toEqual([200, 404, 404, 200, 200, 401, 401]);
  });
});
