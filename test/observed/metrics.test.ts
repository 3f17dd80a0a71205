// @both-databases
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { dialect } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let caller: Caller;
/** help texts by the names of metrics */
let shown: Map<string, string>;

const read = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();

/** The sum of the values whose lines begin like this. */
const sumOf = (text: string, start: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(start))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

beforeAll(async () => {
  server = await startServer();
  caller = await administrator(server);
  expect((await caller.graphql('{ realms(first: 1) { totalCount } }')).errors).toBeUndefined();
  shown = new Map(
    [...(await read()).matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
});

/** The metrics that a text names, without the suffixes of histograms. */
const namedIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:realmgate|nodejs|process)_[a-z0-9_]*[a-z0-9]/g)]
      .map(([name]) => name)
      .filter((name) => name !== 'realmgate_')
      .map((name) => (shown.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))),
  ),
];

describe('the metrics', () => {
  it.each(['deploy/grafana/realmgate.json', 'deploy/prometheus/alerts.yaml', 'deploy/prometheus/alerts.test.yaml'])(
    'that %s names are those of a server',
    (file) => {
      const named = namedIn(readFileSync(file, 'utf8'));
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((name) => !shown.has(name))).toEqual([]);
    },
  );

  it('are listed in docs/observe.md with the texts of the server', () => {
    const rows = readFileSync('docs/observe.md', 'utf8').matchAll(/^\| `(realmgate_\w+)` \|[^|]*\| (.*) \|$/gm);
    const listed = Object.fromEntries([...rows].map(([, name, text]) => [name, text]));
    expect(listed).toEqual(Object.fromEntries([...shown].filter(([name]) => name.startsWith('realmgate_'))));
  });

  it('count operations by outcome, statements, and hits of caches', async () => {
    const ok = 'realmgate_operation_duration_seconds_count{operation="realm.get",outcome="ok"}';
    const refused = 'realmgate_operation_duration_seconds_count{operation="user.create",outcome="conflict"}';
    const before = await read();
    expect((await caller.send('GET', '/master')).status).toBe(200);
    expect((await caller.send('GET', '/master')).status).toBe(200);
    expect((await caller.send('POST', '/master/users', { username: 'admin' })).status).toBe(409);
    const after = await read();
    const grown = (start: string) => sumOf(after, start) - sumOf(before, start);
    expect(grown(ok)).toBe(2);
    expect(grown(refused)).toBe(1);
    expect(grown('realmgate_database_statement_duration_seconds_count')).toBeGreaterThan(0);
    expect(grown('realmgate_cache_requests_total{cache="tokens",result="hit"}')).toBeGreaterThan(0);
    expect(sumOf(after, 'realmgate_database_connections_max')).toBe(dialect === 'sqlite' ? 0 : 10);
  });

  it('count logins by outcome, and unknown errors and names as no label', async () => {
    const before = await read();
    const login = (username: string, password: string) =>
      fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
      });
    expect((await login('admin', 'admin')).status).toBe(200);
    expect((await login('admin', 'wrong')).status).toBe(401);
    expect((await login('nobody-of-the-test', 'wrong')).status).toBe(401);
    const after = await read();
    const grown = (outcome: string) => {
      const start = `realmgate_logins_total{kind="user",outcome="${outcome}"}`;
      return sumOf(after, start) - sumOf(before, start);
    };
    expect([grown('success'), grown('invalid_user_credentials'), grown('user_not_found')]).toEqual([1, 1, 1]);
    expect(after).not.toContain('nobody-of-the-test');
  });

  it('have no label that a caller chooses: neither paths nor names of realms', async () => {
    const paths = ['/', '/auth/', '/auth/realms/', '/auth/realms/master/', '/auth/admin/realms/', '/docs/'];
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      for (const path of paths) await fetch(`${server.url}${path}made-up`, { method });
      await fetch(`${server.url}/auth/realms/master`, { method });
    }
    const operations = [...(await read()).matchAll(/request_duration_seconds_count\{.*?operation="([^"]*)"/g)].map(
      ([, operation]) => operation,
    );
    expect(operations).toEqual(expect.arrayContaining(['realm', 'preflight', 'unknown']));
    expect(operations.filter((one) => /made-up|master/.test(one ?? ''))).toEqual([]);
  });
});
