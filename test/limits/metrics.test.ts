import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../tools/free-port.mjs';
import { startServer } from '../support/server.js';

const statusOf = async (address: string, headers: Record<string, string> = {}) =>
  (await fetch(address, { headers })).status;

describe('the metrics', () => {
  it('are for programs on the same machine, and not behind a proxy, by default', async () => {
    const server = await startServer();
    expect(await statusOf(`${server.url}/metrics`)).toBe(200);
    for (const header of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host']) {
      expect(await statusOf(`${server.url}/metrics`, { [header]: '127.0.0.1' })).toBe(404);
    }
    await server.close();
  });

  it('show how long the process delays other requests', async () => {
    const server = await startServer();
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    await server.close();
  });

  const other = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
  it.runIf(other)('are not for other machines', async () => {
    const server = await startServer({ host: '0.0.0.0' });
    expect(await statusOf(`http://${other}:${server.port}/health/live`)).toBe(200);
    expect(await statusOf(`http://${other}:${server.port}/metrics`)).toBe(404);
    await server.close();
  });

  it('require the token of METRICS_TOKEN', async () => {
    const metricsToken = 'a-token-of-the-monitoring';
    const server = await startServer({ metricsToken });
    expect(await statusOf(`${server.url}/metrics`)).toBe(401);
    expect(await statusOf(`${server.url}/metrics`, { authorization: 'Bearer a-token-of-the-monitorinG' })).toBe(401);
    expect(await statusOf(`${server.url}/metrics`, { authorization: `Bearer ${metricsToken}` })).toBe(200);
    await server.close();
  });

  it('have METRICS_PORT to themselves', async () => {
    const metricsPort = await freePort();
    const server = await startServer({ metricsPort });
    expect(await statusOf(`${server.url}/metrics`)).toBe(404);
    expect(await statusOf(`http://127.0.0.1:${metricsPort}/metrics`)).toBe(200);
    for (const path of ['/', '/graphql', '/auth/admin/realms', '/health/live']) {
      expect(await statusOf(`http://127.0.0.1:${metricsPort}${path}`)).toBe(404);
    }
    await server.close();
    await expect(fetch(`http://127.0.0.1:${metricsPort}/metrics`)).rejects.toThrow();
  });
});
