import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../tools/free-port.mjs';
import { hasCommands } from '../documents/clone.js';
import { atEndOfFile, temporaryFolder } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { alertRules, dashboardExpressions, prometheusFolder } from './expressions.js';

/** Starts a Prometheus with the configuration of the project, which scrapes this address. Returns its own. */
async function startPrometheus(scraped: string): Promise<string> {
  const folder = temporaryFolder();
  const configuration = readFileSync(`${prometheusFolder}/prometheus.yaml`, 'utf8')
    .replace('localhost:9464', scraped)
    .replace('scrape_interval: 15s', 'scrape_interval: 1s')
    .replace('evaluation_interval: 15s', 'evaluation_interval: 1s');
  expect(configuration).toContain(scraped);
  writeFileSync(join(folder, 'prometheus.yaml'), configuration);
  copyFileSync(`${prometheusFolder}/alerts.yaml`, join(folder, 'alerts.yaml'));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yaml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  atEndOfFile(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return `http://${address}`;
}

describe.skipIf(!hasCommands('prometheus'))('a Prometheus with the configuration of the project', () => {
  let prometheus: string;

  /** What Prometheus answers; undefined while it cannot be reached. */
  const ask = async (path: string, query?: string) => {
    const answer = await fetch(`${prometheus}/api/v1/${path}`, {
      ...(query !== undefined && { method: 'POST', body: new URLSearchParams({ query }) }),
    }).catch(() => undefined);
    // biome-ignore lint/suspicious/noExplicitAny: the answers of another server
    return answer?.json() as Promise<any> | undefined;
  };
  const valuesOf = async (query: string): Promise<string[] | undefined> =>
    (await ask('query', query))?.data?.result?.map(({ value }: { value: [number, string] }) => value[1]);

  beforeAll(async () => {
    const server = await startServer();
    const caller = await administrator(server);
    expect((await caller.graphql('{ realms(first: 1) { totalCount } }')).errors).toBeUndefined();
    expect((await caller.send('GET', '/master')).status).toBe(200);
    prometheus = await startPrometheus(new URL(server.url).host);
    await vi.waitFor(async () => expect(await valuesOf('up{job="realmgate"}')).toEqual(['1']), {
      timeout: 60_000,
      interval: 200,
    });
  });

  it('answers every expression of the dashboard', async () => {
    expect(dashboardExpressions.length).toBeGreaterThan(20);
    const failed: unknown[] = [];
    for (const { title, expression } of dashboardExpressions) {
      const answer = await ask('query', expression);
      if (answer?.status !== 'success') failed.push({ title, answer });
    }
    expect(failed).toEqual([]);
    expect(Number((await valuesOf('sum(realmgate_operation_duration_seconds_count)'))?.[0])).toBeGreaterThan(0);
  });

  it('evaluates every alert rule, and none fires for a healthy service', async () => {
    const rules = async (): Promise<{ name: string; health: string; state: string }[]> =>
      (await ask('rules'))?.data?.groups?.[0]?.rules ?? [];
    const wanted = alertRules.map(({ alert }) => ({ name: alert, health: 'ok' }));
    await expect.poll(rules, { timeout: 60_000, interval: 200 }).toMatchObject(wanted);
    expect((await rules()).filter(({ state }) => state === 'firing')).toEqual([]);
  });
});
