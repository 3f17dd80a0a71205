import { describe, expect, it } from 'vitest';
import { freePort } from '../../tools/free-port.mjs';
import { createUsers } from '../faults/stream.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { callerWith, login } from '../support/fixture.js';
import { ended, type Run, ready, start } from '../support/process.js';
import { installedProxies, startProxy } from '../support/proxies.js';
import { admin } from '../support/server.js';

const realm = 'rolling';

describe.skipIf(installedProxies.length === 0)('instances that are restarted one after the other', () => {
  it(`drop no request behind ${installedProxies.join(' and ')}, and are not ready before they stop`, async () => {
    const ports = [await freePort(), await freePort()];
    const settings = { DATABASE_URL: await preparedDatabaseUrl(), SHUTDOWN_DELAY: '1', ACCESS_LOG: 'true' };
    const startAt = (port: number | undefined): Run => start({ ...settings, PORT: String(port) });
    const runs = ports.map(startAt);
    const urls = await Promise.all(runs.map(ready));
    const proxies = await Promise.all(installedProxies.map((name) => startProxy(name, ports)));
    const own = { url: urls[0] ?? '' };
    const caller = callerWith(own, await login(own, 'master', admin.username, admin.password));
    expect((await caller.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const streams = proxies.flatMap((url, at) =>
      [0, 1].map((turn) => createUsers({ realm, name: `by-${at}-${turn}`, patience: 20_000 }, { url }, caller)),
    );
    /** Waits until each proxy sends requests to an instance. */
    const inUse = async ({ output }: Run) => {
      for (const name of installedProxies)
        await expect.poll(output, { timeout: 20_000 }).toContain(`"requestId":"${name}"`);
    };
    await Promise.all(runs.map(inUse));
    for (const [at, run] of runs.entries()) {
      run.process.kill('SIGTERM');
      const readiness = async () => (await fetch(`${urls[at]}/health/ready`)).json();
      await expect.poll(readiness, { timeout: 5000 }).toEqual({ status: 'DOWN', reason: 'stopping' });
      expect(await ended(run)).toBe(0);
      const next = startAt(ports[at]);
      await ready(next);
      await inUse(next);
    }
    await Promise.all(streams.map((each) => each.stop()));
    const answers = streams.flatMap((each) => each.answers);
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  }, 60_000);
});
