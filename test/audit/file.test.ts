import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { ready, start } from '../support/process.js';
import { startServer } from '../support/server.js';

const within = { timeout: 20_000, interval: 50 };

interface Line {
  id: string;
  position: string;
  type: string;
  data: { resourcePath?: string; representation?: string };
}
const linesIn = (path: string): Line[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
const createdIn = (path: string): string[] =>
  linesIn(path).flatMap(({ type, data }) => (type === 'admin.role.create' ? [String(data.resourcePath)] : []));
const makeRole = async (caller: Caller, name: string) =>
  expect((await caller.send('POST', '/master/roles', { name })).status).toBe(201);
const rolesNamed = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `roles/${prefix}-${at}`);

describe('the audit file', () => {
  it('has each committed event of two instances once, in order, for its owner only', async () => {
    const auditFile = join(temporaryFolder(), 'audit.jsonl');
    const options = { databaseUrl: await preparedDatabaseUrl(), auditFile };
    const servers = [await startServer(options), await startServer(options)];
    const callers = await Promise.all(servers.map(administrator));
    await Promise.all(
      callers.flatMap((caller, which) => Array.from({ length: 20 }, (_, at) => makeRole(caller, `of${which}-${at}`))),
    );
    await expect.poll(() => createdIn(auditFile).length, within).toBe(40);
    expect(createdIn(auditFile).sort()).toEqual([...rolesNamed('of0', 20), ...rolesNamed('of1', 20)].sort());
    const positions = linesIn(auditFile).map(({ position }) => BigInt(position));
    expect(positions).toEqual([...positions].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
    expect(linesIn(auditFile).some(({ type }) => type.startsWith('login.'))).toBe(false);
    expect(statSync(auditFile).mode & 0o777).toBe(0o600);
  });

  it('begins anew when it was renamed, and has login events if they are wanted', async () => {
    const auditFile = join(temporaryFolder(), 'audit.jsonl');
    const server = await startServer({ auditFile, auditEvents: ['admin', 'login'] });
    const caller = await administrator(server);
    expect((await caller.send('PUT', '/master', { eventsEnabled: true })).status).toBe(204);
    await makeRole(caller, 'before');
    await expect.poll(() => createdIn(auditFile), within).toEqual(['roles/before']);
    renameSync(auditFile, `${auditFile}.1`);
    await makeRole(caller, 'after');
    await login(server, 'master', 'admin', 'admin');
    await expect.poll(() => createdIn(auditFile), within).toEqual(['roles/after']);
    await expect.poll(() => linesIn(auditFile).map(({ type }) => type), within).toContain('login.login');
    expect(createdIn(`${auditFile}.1`)).toEqual(['roles/before']);
  });

  it('loses no line while it cannot be written', async () => {
    const auditFile = join(temporaryFolder(), 'audit.jsonl');
    const server = await startServer({ auditFile: '/dev/full' });
    const caller = await administrator(server);
    await makeRole(caller, 'kept');
    await server.close();
    const next = await startServer({ databaseUrl: server.services.config.databaseUrl, auditFile });
    await makeRole(await administrator(next), 'later');
    await expect.poll(() => createdIn(auditFile), within).toEqual(['roles/kept', 'roles/later']);
  });

  it('has each event at least once after kill -9', async () => {
    const auditFile = join(temporaryFolder(), 'audit.jsonl');
    const env = {
      ...{ DATABASE_URL: await preparedDatabaseUrl(), AUDIT_FILE: auditFile },
      ...{ ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'admin', LOG_LEVEL: 'fatal' },
    };
    const killed = start(env);
    const caller = await administrator({ url: await ready(killed) } as never);
    for (const role of rolesNamed('of', 30)) await makeRole(caller, role.slice('roles/'.length));
    killed.process.kill('SIGKILL');
    await ready(start(env));
    // the lease of the process that was killed ends first
    await expect.poll(() => new Set(createdIn(auditFile)).size, { timeout: 50_000, interval: 100 }).toBe(30);
    expect([...new Set(createdIn(auditFile))]).toEqual(rolesNamed('of', 30));
  }, 90_000);
});
