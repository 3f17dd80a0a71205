import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { importShop } from '../login/realm.js';
import { temporaryFolder } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { installedProxies, startProxy } from '../support/proxies.js';
import { startServer, type TestServer } from '../support/server.js';
import { byCertificate, exact, header, name, newAuthority, newPair, type Pair } from './certificates.js';
import { realm } from './relying-party.js';

let folder: string;
let server: TestServer;
let mine: Pair;

beforeAll(async () => {
  folder = temporaryFolder();
  mine = newAuthority(folder)('mine', '/C=DE/O=Acme, Inc/OU=Apps/CN=Billing é/emailAddress=ops@acme.example');
  server = await startServer({ trustProxy: 1, clientCertificateHeader: header });
  await importShop(await administrator(server), { clients: [byCertificate('exact', name, exact)] });
});

describe.each(installedProxies.filter((one) => one !== 'caddy'))('behind %s', (proxy) => {
  let url: string;
  beforeAll(async () => {
    const { port: own } = new URL(server.url);
    const { key, cert } = newPair(
      folder,
      'server',
      '/CN=localhost',
      '-days',
      '2',
      '-addext',
      'subjectAltName=DNS:localhost',
    );
    writeFileSync(join(folder, 'server.pem'), cert + key);
    url = await startProxy(proxy, [Number(own)], (port, _ports, its) =>
      proxy === 'haproxy'
        ? `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
frontend all
  bind 127.0.0.1:${port} ssl crt ${folder}/server.pem ca-file ${folder}/ca.crt verify optional
  http-request set-header X-Forwarded-Proto https
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  http-request set-header Ssl-Client-Cert %[ssl_c_der,base64]
  default_backend instances
backend instances
  server one 127.0.0.1:${own}
`
        : `
daemon off;
pid ${its}/nginx.pid;
error_log ${its}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${its}/${kind};`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/server.crt;
    ssl_certificate_key ${folder}/server.key;
    ssl_client_certificate ${folder}/ca.crt;
    ssl_verify_client optional;
    location / {
      proxy_pass http://127.0.0.1:${own};
      proxy_set_header X-Forwarded-Proto https;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header Ssl-Client-Cert $ssl_client_escaped_cert;
    }
  }
}
`,
    );
    url = url.replace('http://127.0.0.1', 'https://localhost');
  });

  /** A fetch over connections with a certificate. */
  const fetchWith =
    (pair?: Pair): openid.CustomFetch =>
    (address, { method, headers, body }) =>
      new Promise((resolve, reject) => {
        const ca = readFileSync(join(folder, 'server.crt'));
        const options = { method, headers: { ...headers }, ca, ...(pair && { key: pair.key, cert: pair.cert }) };
        const sent = secureRequest(address, { ...options, agent: false }, async (answer) => {
          const parts: Buffer[] = [];
          for await (const part of answer) parts.push(part as Buffer);
          const type = { 'content-type': answer.headers['content-type'] ?? 'text/plain' };
          resolve(new Response(Buffer.concat(parts), { status: answer.statusCode ?? 0, headers: type }));
        });
        sent.once('error', reject).end(body ? String(body) : undefined);
      });

  const configured = async (clientId: string, pair?: Pair) => {
    const fetching = { [openid.customFetch]: fetchWith(pair) };
    const issuer = new URL(`${url}/auth/realms/${realm}`);
    return openid.discovery(issuer, clientId, {}, openid.TlsClientAuth(), fetching);
  };

  it('a client of another project logs in with its certificate', async () => {
    const config = await configured('exact', mine);
    expect((await openid.clientCredentialsGrant(config)).access_token).toMatch(/\./);
  });

  it('a client without a certificate cannot send the header itself', async () => {
    for (const value of [mine.escaped, new X509Certificate(mine.cert).raw.toString('base64')]) {
      const answer = await fetchWith()(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', [header]: value },
        body: new URLSearchParams({ client_id: 'exact', grant_type: 'client_credentials' }),
        redirect: 'manual',
      });
      expect([answer.status, await answer.json()]).toEqual([
        401,
        {
          error: 'invalid_client',
          error_description: 'Client certificate is missing',
        },
      ]);
    }
  });
});
