// @both-databases
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freshDatabaseUrl } from './support/database.js';
import { ended, type Run, ready, start } from './support/process.js';

/** Asks on a connection of its own, which any worker may get. */
const ask = (url: string): Promise<{ status: number | undefined; text: string }> =>
  new Promise((done, failed) => {
    get(url, { agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      done({ status: response.statusCode, text });
    }).on('error', failed);
  });

/** The values of a metric in the text of Prometheus, by the beginning of its lines. */
const valuesOf = (text: string, start: string): number[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(start))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));

const serving = ({ output }: Run): number[] =>
  [...output().matchAll(/"worker":(\d+),"msg":"worker is serving"/g)].map(([, pid]) => Number(pid));

describe.skipIf(!existsSync('dist/main.js'))('WORKERS=2', () => {
  it('serves with two processes, replaces one that dies, and stops with all of them', async () => {
    const run = start({ DATABASE_URL: await freshDatabaseUrl(), WORKERS: '2' });
    const url = await ready(run);
    expect(run.output().match(/generatedPassword/g)).toHaveLength(1);
    await expect.poll(() => serving(run), { timeout: 10_000 }).toHaveLength(2);
    const [killed = 0] = serving(run);

    // whichever worker is asked, it answers for both
    for (let at = 0; at < 4; at += 1) {
      const { status, text } = await ask(`${url}/metrics`);
      expect(status).toBe(200);
      expect(valuesOf(text, 'nodejs_version_info')).toEqual([1]);
      expect(
        valuesOf(text, 'realmgate_request_duration_seconds_count{surface="page",operation="/health/live"'),
      ).toEqual(at === 0 ? [] : [at * 10]);
      const asked = Array.from({ length: 10 }, () => ask(`${url}/health/live`));
      for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
    }

    process.kill(killed, 'SIGKILL');
    await expect.poll(run.output, { timeout: 5000 }).toContain('a worker ended');
    expect((await ask(`${url}/health/ready`)).status).toBe(200);
    await expect.poll(() => serving(run), { timeout: 10_000 }).toHaveLength(3);
    for (let at = 0; at < 4; at += 1) expect((await ask(`${url}/health/ready`)).status).toBe(200);

    run.process.kill('SIGTERM');
    expect(await ended(run)).toBe(0);
    await expect(ask(`${url}/health/ready`)).rejects.toThrow('ECONNREFUSED');
    for (const pid of serving(run)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is told once that the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const run = start({ DATABASE_URL: await freshDatabaseUrl(), WORKERS: '2', PORT });
    expect(await ended(run)).toBe(1);
    expect(run.output().match(/PORT must be a free port/g)).toHaveLength(1);
    taken.close();
  });
});
