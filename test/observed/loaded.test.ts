// @thorough
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshDatabaseUrl, temporaryFolder } from '../support/database.js';
import { ended, ready, start } from '../support/process.js';
import { startCollector } from './collector.js';

/** The packages of OpenTelemetry that a server has loaded until its end. */
async function loadedWith(settings: Record<string, string>): Promise<string[]> {
  const file = join(temporaryFolder(), 'loaded.json');
  const run = start({
    DATABASE_URL: await freshDatabaseUrl(),
    ADMIN_PASSWORD: 'admin',
    NODE_OPTIONS: '--import=./test/observed/loaded.mjs',
    LOADED_FILE: file,
    ...settings,
  });
  const url = await ready(run);
  const body = JSON.stringify({ query: '{ __typename }' });
  await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  run.process.kill('SIGTERM');
  expect(await ended(run)).toBe(0);
  return JSON.parse(readFileSync(file, 'utf8'));
}

it.skipIf(!existsSync('dist/main.js'))('packages of OpenTelemetry are loaded only if a collector is set', async () => {
  const { url } = await startCollector();
  const unset = await loadedWith({});
  // prom-client loads its interfaces
  expect(unset).toEqual(['@opentelemetry/api']);
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' })).toEqual(unset);
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  expect(loaded).toContain('@opentelemetry/sdk-trace-base');
});
