import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../support/cleanup.js';
import { temporaryFolder } from '../support/database.js';
import { type OnServer, onServer } from './on-server.js';
import { closedPort, commandFile, realmgate } from './run.js';

let on: OnServer;
beforeAll(async () => {
  on = await onServer({ realm: 'remote', enabled: true, displayName: 'Before' });
});

/** A server that answers instead of Realmgate, or passes requests on to it. */
async function proxy(
  refuse: (path: string) => { status: number; headers?: Record<string, string>; body?: string } | undefined,
) {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    asked.push(path);
    const refusal = refuse(path);
    if (refusal) {
      incoming.resume();
      outgoing.writeHead(refusal.status, refusal.headers).end(refusal.body);
      return;
    }
    const onward = request(
      `${on.server.url}${path}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEndOfFile(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    run: (...args: string[]) => realmgate([...args, '--url', url], { REALMGATE_TOKEN: on.admin.token }),
  };
}

describe('the commands with --url', () => {
  it('plan, compare, apply, and pull as those on the database', async () => {
    const file = on.file({ realm: 'remote', displayName: 'After', groups: [{ name: 'staff' }] });
    const planned = await on.run(['plan', file]);
    expect(planned).toEqual({
      status: 2,
      errors: '',
      output: expect.stringMatching(
        /^\+ GROUP \/staff\n~ REALM remote\n {4}displayName: "Before" → "After"\n1 to create, 1 to update, 0 to delete.\ndigest \w{64}\n$/,
      ),
    });
    expect(await on.run(['diff', file])).toEqual({
      status: 0,
      errors: '',
      output:
        '--- (absent)\n+++ GROUP /staff\n+isDefault: false\n+name: staff\n+path: /staff\n--- REALM remote\n+++ REALM remote\n-displayName: Before\n+displayName: After\n',
    });
    const applied = await on.run(['apply', file, '--yes']);
    expect(applied).toMatchObject({
      status: 0,
      errors: '',
      output: expect.stringContaining('Applied: 1 created, 1 updated, 0 deleted.'),
    });
    expect((await on.admin.send('GET', '/remote/groups')).body).toMatchObject([{ name: 'staff' }]);
    expect((await on.run(['plan', file])).status).toBe(0);
    const pulled = on.file({});
    expect(await on.run(['pull', '--realm', 'remote', '--out', pulled])).toMatchObject({ status: 0, errors: '' });
    expect(await on.run(['plan', pulled])).toMatchObject({
      status: 0,
      output: '0 to create, 0 to update, 0 to delete.\n',
    });
  });

  it('apply the plan with the digest, and nothing else', async () => {
    const file = on.file({ realm: 'remote', attributes: { a: '1' } });
    const { digest } = JSON.parse((await on.run(['plan', file, '--json'])).output);
    await on.admin.send('PUT', '/remote', { displayName: 'By hand', attributes: { a: '2' } });
    const stale = await on.run(['apply', file, '--digest', digest]);
    expect(stale).toMatchObject({ status: 1, errors: expect.stringContaining('were changed since the plan') });
    const { digest: newer } = JSON.parse((await on.run(['plan', file, '--json'])).output);
    const applied = await on.run(['apply', file, '--digest', newer, '--json']);
    expect(applied.status).toBe(0);
    expect(JSON.parse(applied.output)).toMatchObject({ digest: newer, changes: [{ kind: 'REALM' }] });
  });

  it('state what is wrong in one sentence', async () => {
    const file = on.file({ realm: 'remote', displayName: 'X' });
    const sentence = async (args: string[], env?: Record<string, string>) => {
      const { status, errors, output } = await on.run(args, env);
      expect({ status, output }).toEqual({ status: 1, output: '' });
      expect(errors.trim().split('\n')).toHaveLength(1);
      return errors.trim().replaceAll(on.server.url, 'URL');
    };
    expect(await sentence(['plan', file], { REALMGATE_TOKEN: 'wrong' })).toBe(
      'The server URL does not accept the token (HTTP 401 Unauthorized): set REALMGATE_TOKEN or --token to a new one.',
    );
    expect(await sentence(['plan', file], {})).toBe(
      'There is no login at URL: run `realmgate login --url URL`, or set REALMGATE_TOKEN.',
    );
    expect(await sentence(['plan', file, '--realm', 'none'])).toMatch(/^The realm "none" was not found on URL/);
    expect(await sentence(['pull', '--realm', 'remote', '--secrets'])).toContain('--secrets requires the database');
    expect(
      await sentence(['plan', on.file({ realm: 'remote', clients: [{ clientId: 'c', notBefore: 'x' }] })]),
    ).toContain('notBefore');
    expect(await sentence(['apply', file, '--allow-deletes', 'many', '--yes'])).toContain(
      'It must be a number of objects',
    );
  });

  it('state that a server cannot be reached, fails, or is elsewhere', async () => {
    const file = on.file({ realm: 'remote', displayName: 'X' });
    const at = (url: string) => realmgate(['plan', file, '--url', url], { REALMGATE_TOKEN: 't' });
    const closed = await at(`http://127.0.0.1:${await closedPort()}`);
    expect(closed).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^The server .* cannot be reached \(ECONNREFUSED\)/),
    });
    expect((await at('ftp://a')).errors).toContain('--url must be an address such as https://id.example');
    const failing = await proxy(() => ({
      status: 500,
      headers: { 'x-request-id': 'r-7' },
      body: '{"error":"unknown_error"}',
    }));
    expect((await failing.run('plan', file)).errors).toBe(
      `The server ${failing.url} failed with status 500: its log has the reason under r-7.\n`,
    );
    const moved = await proxy(() => ({ status: 301, headers: { location: 'https://elsewhere.example/auth' } }));
    expect((await moved.run('plan', file)).errors).toBe(
      `The server ${moved.url} redirects to https://elsewhere.example (301): give --url the address it redirects to.\n`,
    );
    const other = await proxy(() => ({ status: 200, body: '<html>' }));
    expect((await other.run('plan', file)).errors).toContain('answers without JSON');
    const mute = createTcpServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', listening));
    atEndOfFile(() => void mute.close());
    expect((await at(`http://127.0.0.1:${(mute.address() as AddressInfo).port}`)).errors).toMatch(
      /cannot be reached \((UND_ERR_SOCKET|ECONNRESET)\)/,
    );
  });

  it('say how to name the authority of a certificate that is not known', async () => {
    const folder = temporaryFolder();
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'authority.pem'];
    execFileSync('openssl', [...request, ...names], { cwd: folder, stdio: 'ignore' });
    const [key, cert] = ['key.pem', 'authority.pem'].map((name) => readFileSync(join(folder, name)));
    const secure = createHttpsServer({ key, cert }, (_, response) => response.writeHead(401).end());
    await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening));
    atEndOfFile(() => void secure.close());
    const url = `https://localhost:${(secure.address() as AddressInfo).port}`;
    const args = ['plan', on.file({ realm: 'remote', displayName: 'X' }), '--url', url];
    const env = { REALMGATE_TOKEN: 't' };
    expect((await realmgate(args, env)).errors).toMatch(
      /^The server .* cannot be reached \(\w+\): name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS\.\n$/,
    );
    // Node.js reads the variable when a process starts
    const named = { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') };
    const own = promisify(execFile)(process.execPath, [commandFile, ...args], { env: named });
    await expect(own).rejects.toMatchObject({ stderr: expect.stringContaining('does not accept the token') });
  });

  it('ask again where the server is busy, and apply once', async () => {
    let refusals = 2;
    const busy = await proxy((path) =>
      path.endsWith('/apply') && --refusals >= 0 ? { status: 503, headers: { 'retry-after': '0' } } : undefined,
    );
    const file = on.file({ realm: 'remote', displayName: 'Busy' });
    expect(await busy.run('apply', file, '--yes')).toMatchObject({ status: 0, errors: '' });
    expect(busy.asked.filter((path) => path.endsWith('/apply'))).toHaveLength(3);
    const always = await proxy(() => ({ status: 503, headers: { 'retry-after': '0' } }));
    expect((await always.run('plan', file)).errors).toContain('is busy or cannot reach its database');
    expect(always.asked).toHaveLength(4);
  });

  it('work for a client with a secret, as far as its roles reach', async () => {
    const client = {
      clientId: 'pipeline',
      secret: 'pipeline-secret',
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
    };
    await on.admin.send('POST', '/master/clients', client);
    const file = on.file({ realm: 'remote', displayName: 'By a client' });
    const args = [file, '--client-id', 'pipeline'];
    const env = { REALMGATE_CLIENT_SECRET: 'pipeline-secret' };
    const refused = await on.run(['plan', ...args], env);
    expect(refused).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^The token lacks a permission in the realm "remote"/),
    });
    const [found] = (await on.admin.send('GET', '/master/clients?clientId=pipeline')).body;
    const account = (await on.admin.send('GET', `/master/clients/${found.id}/service-account-user`)).body;
    const role = (await on.admin.send('GET', '/master/roles/admin')).body;
    await on.admin.send('POST', `/master/users/${account.id}/role-mappings/realm`, [role]);
    expect(await on.run(['apply', ...args, '--yes'], env)).toMatchObject({ status: 0, errors: '' });
    const told = await on.run(['history', '--realm', 'remote', '--max', '1']);
    expect(told.output).toContain('  by the client pipeline\n');
    const { appliedBy } = (await on.admin.send('GET', '/admin/realms/remote/applies?max=1')).body[0];
    expect(appliedBy).toMatchObject({ userId: account.id, serviceAccountClientId: 'pipeline' });
    const wrong = await on.run(['plan', ...args], { REALMGATE_CLIENT_SECRET: 'x' });
    expect(wrong.errors).toMatch(/^The client "pipeline" of the realm "master" gets no token from .*\n$/);
    expect(wrong.errors).not.toContain('x"');
    expect((await on.run(['plan', ...args], {})).errors).toContain('REALMGATE_CLIENT_SECRET');
    expect((await on.run(['plan', ...args, '--login-realm', 'none'], env)).errors).toContain('--login-realm');
  });
});
