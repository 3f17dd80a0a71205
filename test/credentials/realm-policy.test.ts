import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let user: string;
let folder: string;
let moved = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  writeFileSync(
    join(folder, 'worst.txt'),
    `123456\r\nPassWord\n\n${Array.from({ length: 5000 }, (_, at) => `common-${at}`).join('\n')}\n`,
  );
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'secret.txt'), 'hidden\n');
  server = await startServer({ passwordBlacklists: folder }, () => Date.now() + moved);
  admin = await administrator(server);
  const users = [{ username: 'pat', email: 'pat@example.org', enabled: true }];
  expect((await admin.send('POST', '/', { realm: 'strict', enabled: true, users })).status).toBe(201);
  user = (await admin.send('GET', '/strict/users')).body[0].id;
});

const policy = async (passwordPolicy: string) => (await admin.send('PUT', '/strict', { passwordPolicy })).status;
const set = async (value: string) => {
  const { status, body } = await admin.send('PUT', `/strict/users/${user}/reset-password`, { type: 'password', value });
  return status === 204 ? 'fine' : body.error;
};
const login = async (password: string, username = 'pat') => {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password });
  const address = `${server.url}/auth/realms/strict/protocol/openid-connect/token`;
  const answer = (await (await fetch(address, { method: 'POST', body: form })).json()) as {
    error_description?: string;
  };
  return answer.error_description ?? 'fine';
};
const stored = async () => {
  const [credential] = (await admin.send('GET', `/strict/users/${user}/credentials`)).body;
  return JSON.parse(credential.credentialData);
};

describe('the password policy of a realm', () => {
  it('refuses the passwords of a list, in whatever case', async () => {
    expect(await policy('passwordBlacklist(worst.txt)')).toBe(204);
    for (const value of ['123456', 'password', 'PASSWORD', 'Common-4999', 'common-0']) {
      expect(await set(value)).toBe('invalidPasswordBlacklistedMessage');
    }
    expect(await set('common-5000')).toBe('fine');
    expect(await login('common-5000')).toBe('fine');
  });

  it('reads a list again that has changed', async () => {
    writeFileSync(join(folder, 'changing.txt'), 'before\n');
    expect(await policy('passwordBlacklist(changing.txt)')).toBe(204);
    expect(await set('later-on')).toBe('fine');
    writeFileSync(join(folder, 'changing.txt'), 'before\nlater-on\n');
    expect(await set('later-on')).toBe('invalidPasswordBlacklistedMessage');
  });

  it.each([
    'passwordBlacklist(none.txt)',
    'passwordBlacklist(inner)',
    'passwordBlacklist(inner/secret.txt)',
    'passwordBlacklist(../worst.txt)',
    'passwordBlacklist()',
    'noSuchPolicy(1)',
    'length(many)',
    'regexPattern([)',
    'hashAlgorithm(rot13)',
  ])('is not %s', async (text) => {
    expect(await policy(text)).toBe(400);
  });

  it('decides about hashing', async () => {
    expect(await policy('hashAlgorithm(pbkdf2-sha512) and hashIterations(1234)')).toBe(204);
    expect(await set('another-one')).toBe('fine');
    expect(await stored()).toMatchObject({ algorithm: 'pbkdf2-sha512', hashIterations: 1234 });
    expect(await login('another-one')).toBe('fine');
  });

  it('decides what a login costs, also that of somebody who is not there', async () => {
    expect(await policy('hashIterations(150000)')).toBe(204);
    expect(await set('expensive')).toBe('fine');
    const cost = async (username: string) => {
      const before = process.cpuUsage();
      expect(await login('wrong', username)).toBe('Invalid user credentials');
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    expect(await cost('nobody')).toBeGreaterThan((await cost('pat')) / 2);
  });

  it('has passwords changed that are too old', async () => {
    expect(await policy('forceExpiredPasswordChange(30)')).toBe(204);
    expect(await set('one-month')).toBe('fine');
    expect(await login('one-month')).toBe('fine');
    moved = 31 * 86_400_000;
    expect(await login('one-month')).toBe('Account is not fully set up');
    moved = 0;
  });
});
