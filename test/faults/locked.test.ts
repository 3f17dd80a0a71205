// @both-databases
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { atEndOfFile, dialect, preparedDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';

/** Has another process begin to write to the file; the returned function ends that. */
async function lock(file: string): Promise<() => Promise<void>> {
  const child = spawn('node', ['test/support/sqlite-writer.mjs', file], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEndOfFile(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    const exit = once(child, 'exit');
    child.stdin.end('\n');
    await exit;
  };
}

// PostgreSQL has no lock on the whole database.
describe.skipIf(dialect !== 'sqlite')('a database file that another process has locked', () => {
  it('makes writes answer that they may be tried later, and then they succeed', async () => {
    const databaseUrl = await preparedDatabaseUrl();
    const admin = await administrator(await startServer({ databaseUrl }));
    const { realm } = (await admin.graphql<{ realm: { id: string } }>('{ realm(name: "master") { id } }')).data;
    const unlock = await lock(databaseUrl.slice('file:'.length));
    const mutation = `mutation { roleCreate(input: { container: "${realm.id}", name: "second" }) { userErrors { code } } }`;
    const writing = [
      admin.send('POST', '/master/roles', { name: 'first' }),
      admin.graphql<{ roleCreate: { userErrors: { code: string }[] } | null }>(mutation),
    ] as const;
    // those who stand behind another one wait no longer than it does
    const crowd = Array.from({ length: 12 }, (_, at) => admin.send('POST', '/master/roles', { name: `queued-${at}` }));
    // reading goes on meanwhile
    expect((await admin.send('GET', '/master/roles')).status).toBe(200);
    const [rest, graphql] = await Promise.all(writing);
    expect(rest.status).toBe(503);
    expect(rest.headers.get('retry-after')).toBe('1');
    expect(rest.body).toEqual({ errorMessage: expect.any(String) });
    const codes = [...(graphql.data?.roleCreate?.userErrors ?? []), ...(graphql.errors ?? []).map((e) => e.extensions)];
    expect(codes).toMatchObject([{ code: 'BUSY' }]);
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(crowd.map(() => 503));
    await unlock();
    expect((await admin.send('POST', '/master/roles', { name: 'first' })).status).toBe(201);
    expect((await admin.graphql(mutation)).data).toEqual({ roleCreate: { userErrors: [] } });
  }, 60_000);
});
