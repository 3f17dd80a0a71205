// @both-databases
import { describe, expect, it } from 'vitest';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { postgresqlBinaries, startPostgresql } from '../support/postgresql.mjs';
import { startServer } from '../support/server.js';
import { wireTo } from './wire.js';

const limits = { maxConcurrentRequests: 8, maxQueuedRequests: 8 };
/** No answer within this time, in milliseconds, counts as none at all. */
const patience = 25_000;

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'a database server that answers slowly (PostgreSQL only: SQLite has no server)',
  () => {
    it.each([500, 2000, 30_000])(
      'is waited for or given up, with a bounded queue, until it is as fast as before: %i ms',
      async (late) => {
        const cluster = await startPostgresql();
        atEndOfFile(() => cluster.stop());
        const wire = await wireTo(cluster.url);
        atEndOfFile(() => wire.close());
        const settings = { databaseUrl: wire.url, databasePool: 4, databaseStatementTimeout: 2, ...limits };
        const server = await startServer(settings);
        const { token, send } = await administrator(server);
        expect((await send('POST', '/', { realm: 'slow', enabled: true })).status).toBe(201);
        const ask = async (path: string) => {
          const response = await fetch(server.url + path, {
            headers: { authorization: `Bearer ${token}` },
            signal: AbortSignal.timeout(patience),
          });
          await response.arrayBuffer();
          return { status: response.status, retryAfter: response.headers.get('retry-after') };
        };

        wire.delay(late);
        const asked = Array.from({ length: 40 }, () => ask('/auth/slow/users'));
        const ready = ask('/health/ready');
        const counts = await (await fetch(`${server.url}/metrics`)).text();
        const counted = (what: string) =>
          Number(new RegExp(`^realmgate_requests_${what}\\{kind="requests"\\} (\\d+)$`, 'm').exec(counts)?.[1]);
        expect(counted('running')).toBeLessThanOrEqual(limits.maxConcurrentRequests);
        expect(counted('waiting')).toBeLessThanOrEqual(limits.maxQueuedRequests);
        expect((await ask('/health/live')).status).toBe(200);
        const answers = await Promise.all(asked);
        const isRefusal = ({ status, retryAfter }: (typeof answers)[number]) => status === 503 && retryAfter === '1';
        expect(answers.filter((answer) => answer.status !== 200 && !isRefusal(answer))).toEqual([]);
        // there is no room for more than run and wait
        expect(answers.filter(isRefusal).length).toBeGreaterThan(0);
        const readiness = (await ready).status;
        if (late === 30_000) expect([answers.filter(({ status }) => status === 200), readiness]).toEqual([[], 503]);

        wire.delay(0);
        const recovered = () => Promise.all([ask('/auth/slow/users'), ask('/health/ready')]);
        await expect
          .poll(async () => (await recovered()).map(({ status }) => status), { timeout: patience })
          .toEqual([200, 200]);
        expect((await send('POST', '/slow/users', { username: 'afterwards' })).status).toBe(201);
      },
      90_000,
    );
  },
);
