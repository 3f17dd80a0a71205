import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freshDatabaseUrl, preparedDatabaseUrl } from './support/database.js';
import { ended, ready, start, startCommand } from './support/process.js';

describe.skipIf(!existsSync('dist/main.js'))('the process', () => {
  it('makes up a password, tells it once, and keeps the data', async () => {
    const DATABASE_URL = await freshDatabaseUrl();
    const first = start({ DATABASE_URL });
    const url = await ready(first);
    const password = /"generatedPassword":"([^"]+)"/.exec(first.output())?.[1] ?? '';
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password });
    const login = await fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
    expect(login.status).toBe(200);
    first.process.kill('SIGTERM');
    expect(await ended(first)).toBe(0);
    const second = start({ DATABASE_URL });
    await ready(second);
    expect(second.output()).not.toContain('generatedPassword');
    second.process.kill('SIGTERM');
    expect(await ended(second)).toBe(0);
  });

  it('answers a request that was running when it was told to stop', async () => {
    const run = start({ DATABASE_URL: await freshDatabaseUrl(), ADMIN_PASSWORD: 'secret-1' });
    const url = await ready(run);
    const body = new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'secret-1',
    });
    const answers = Array.from({ length: 8 }, () =>
      fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, { method: 'POST', body }),
    );
    await Promise.race(answers);
    run.process.kill('SIGTERM');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await ended(run)).toBe(0);
  });

  it.each([
    ['npm', ['start', '--ignore-scripts']],
    ['npx', ['realmgate', 'start']],
  ])('stops when %s, which has started it, is told to stop', async (command, args) => {
    const run = startCommand(command, args, { DATABASE_URL: await preparedDatabaseUrl() });
    const url = await ready(run);
    run.process.kill('SIGTERM');
    const answers = () =>
      fetch(`${url}/health/live`).then(
        ({ status }) => status,
        () => 'nobody',
      );
    await expect.poll(answers, { timeout: 10_000 }).toBe('nobody');
    // a pipe may bring the line later than the kernel closes the port
    await expect.poll(run.output, { timeout: 10_000 }).toContain('stopping');
  });

  it.each([
    [{ PORT: 'eighty' }, /"level":"fatal".*PORT must be .*eighty/],
    [{ DATABASE_URL: 'mysql://somewhere' }, /DATABASE_URL must be/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be/],
    [{ SECRETS_KEY: 'too-short' }, /SECRETS_KEY must be/],
    [{ DATABASE_URL: 'file:package.json/realmgate.db' }, /database/i],
  ])('stops at %j with a sentence that names it', async (env, sentence) => {
    const run = start(env);
    expect(await ended(run)).toBe(1);
    expect(run.output()).toMatch(sentence);
    expect(run.output()).not.toMatch(/too-short|\n\s+at /);
  });

  it('tells its health and metrics', async () => {
    const run = start({ DATABASE_URL: await freshDatabaseUrl(), ADMIN_PASSWORD: 'secret-1' });
    const url = await ready(run);
    for (const path of ['/health/live', '/health/ready']) expect((await fetch(url + path)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('realmgate_database_statements_total');
    expect((await fetch(`${url}/`)).headers.get('content-type')).toContain('text/html');
    run.process.kill('SIGTERM');
    await ended(run);
  });
});
