import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf } from '../login/agent.js';
import { temporaryFolder } from '../support/database.js';
import { admin } from '../support/server.js';
import { type OnServer, onServer } from './on-server.js';
import { commandFile, realmgate } from './run.js';

let on: OnServer;
const deviceGrant = { 'oauth2.device.authorization.grant.enabled': 'true' };

beforeAll(async () => {
  on = await onServer({ realm: 'remote', enabled: true, displayName: 'Before' });
  await on.admin.send('PUT', '/master', { oauth2DevicePollingInterval: 1 });
  const client = { clientId: 'terminal', publicClient: true, attributes: deviceGrant };
  expect((await on.admin.send('POST', '/master/clients', client)).status).toBe(201);
});

/** Runs `realmgate login`, and logs in by a browser as the printed line says. */
async function logIn(config: string, decide: 'accept' | 'cancel') {
  const { PATH = '' } = process.env;
  const args = [commandFile, 'login', '--url', `${on.server.url}/auth/`, '--client-id', 'terminal'];
  const child = spawn(process.execPath, args, { env: { PATH, XDG_CONFIG_HOME: config } });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines: string[] = [];
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, address = '', code = ''] = /^Open (\S+) in a browser and enter the code (\S+)\.$/.exec(line) ?? [];
    if (address === '') continue;
    const agent = agentOf(on.server);
    const { pathname, search } = new URL(address);
    let page = await agent.get(`${pathname}${search}`);
    if (!page.text.includes('name="username"')) page = await agent.submit(page, { device_user_code: code });
    page = await agent.submit(page, { ...admin });
    await agent.submit(page, { [decide]: 'true' });
  }
  const [status] = await ended;
  return { status, lines, errors };
}

describe('realmgate login', () => {
  it('logs in by a browser, keeps the tokens for its user alone, and renews them', async () => {
    const config = temporaryFolder();
    const env = { XDG_CONFIG_HOME: config };
    const { status, lines, errors } = await logIn(config, 'accept');
    expect({ status, errors, last: lines.at(-1) }).toEqual({
      status: 0,
      errors: '',
      last: `Logged in at ${on.server.url}.`,
    });
    const path = join(config, 'realmgate', 'logins.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const stored = () => JSON.parse(readFileSync(path, 'utf8'))[on.server.url];
    const first = stored();
    const file = on.file({ realm: 'remote', displayName: 'By a login' });
    expect(await on.run(['apply', file, '--yes'], env)).toMatchObject({ status: 0, errors: '' });
    expect(stored()).toEqual(first);
    // as if the access token had expired
    writeFileSync(path, JSON.stringify({ [on.server.url]: { ...first, expiresAt: 0 } }));
    expect(await on.run(['plan', file], env)).toMatchObject({ status: 0, errors: '' });
    expect(stored().accessToken).not.toBe(first.accessToken);
    chmodSync(path, 0o644);
    expect((await on.run(['plan', file], env)).errors).toContain(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
    const { refreshToken } = stored();
    expect(await on.run(['logout'], env)).toMatchObject({ status: 0, output: `Logged out at ${on.server.url}.\n` });
    expect(stored()).toBeUndefined();
    writeFileSync(path, JSON.stringify({ [on.server.url]: { ...first, refreshToken, expiresAt: 0 } }));
    expect((await on.run(['plan', file], env)).errors).toMatch(
      /^The login at .* has ended: run `realmgate login --url/,
    );
    expect((await realmgate(['logout', '--url', 'http://other.example'], env)).errors).toBe(
      'There is no login at http://other.example.\n',
    );
  });

  it('states that the login was refused, and which clients may log in so', async () => {
    const { status, errors } = await logIn(temporaryFolder(), 'cancel');
    expect({ status, errors }).toEqual({ status: 1, errors: 'The login was refused.\n' });
    await on.admin.send('PUT', '/master', { oauth2DevicePollingInterval: 600 });
    const slow = await on.run(['login', '--client-id', 'terminal'], {});
    expect(slow).toMatchObject({
      status: 1,
      output: '',
      errors: expect.stringContaining('`oauth2DevicePollingInterval` to 5'),
    });
    const { status: other, errors: reason } = await on.run(['login'], { XDG_CONFIG_HOME: temporaryFolder() });
    expect(other).toBe(1);
    expect(reason).toMatch(/^The client "admin-cli" of the realm "master" gets no token from .*\n$/);
  });
});
