// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate, migrationState } from '../../src/database/migrate.js';
import { Prisma } from '../../src/database/prisma.js';
import { realmgate } from '../cli/run.js';
import { atEndOfFile, dialect, freshDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.mjs';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'pooled';

describe.skipIf(dialect !== 'postgresql' || !hasPgbouncer)(
  'a pooler in transaction mode (PgBouncer; SQLite needs none)',
  () => {
    let servers: [TestServer, TestServer];
    let admin: Caller;
    let poolerUrl: string;

    beforeAll(async () => {
      const databaseDirectUrl = await freshDatabaseUrl();
      const pooler = await startPgbouncer(databaseDirectUrl);
      atEndOfFile(() => pooler.stop());
      poolerUrl = pooler.url;
      const settings = { databaseUrl: pooler.url, databaseDirectUrl, databasePool: 20 };
      servers = [await startServer(settings), await startServer(settings)];
      admin = await administrator(servers[0]);
      const made = await admin.send('POST', '/', { realm, enabled: true, roles: { realm: [{ name: 'clerk' }] } });
      expect(made.status).toBe(201);
    });

    it('has the sessions begin with the settings that statements are planned by', async () => {
      const read = async (name: string) => {
        const [row] = await servers[0].database.read.query<{ value: string }>(
          Prisma.sql`SELECT current_setting(${name}) AS "value"`,
        );
        return row?.value;
      };
      expect(await read('jit')).toBe('off');
      expect(await read('plan_cache_mode')).toBe('force_generic_plan');
      expect(await read('statement_timeout')).toBe('1min');
    });

    it('is refused where a session is needed, and the message says how to go around it', async () => {
      for (const ask of [migrate, migrationState])
        await expect(ask(poolerUrl)).rejects.toThrow(/pooler in transaction mode. Set DATABASE_DIRECT_URL to/);
      const { status, output } = await realmgate(['check'], { DATABASE_URL: poolerUrl });
      expect([status, output.match(/^problem.*$/gm)]).toEqual([
        1,
        [expect.stringMatching(/^problem +database .*Set DATABASE_DIRECT_URL to/)],
      ]);
    });

    it('takes more writers and readers than it has sessions', async () => {
      const role = (await admin.send('GET', `/${realm}/roles/clerk`)).body;
      const one = async (at: number) => {
        const made = await admin.send('POST', `/${realm}/users`, { username: `many-${at}`, enabled: true });
        const id = String(made.headers.get('location')).split('/').at(-1);
        const answers = [
          made,
          await admin.send('PUT', `/${realm}/users/${id}`, { attributes: { at: [String(at)] } }),
          await admin.send('POST', `/${realm}/users/${id}/role-mappings/realm`, [role]),
          await admin.send('GET', `/${realm}/users/${id}/role-mappings/realm/composite`),
        ];
        return answers.map(({ status }) => status);
      };
      const statuses = await Promise.all(Array.from({ length: 60 }, (_, at) => one(at)));
      expect(statuses).toEqual(statuses.map(() => [201, 204, 204, 200]));
      const { body } = await admin.send('GET', `/${realm}/users/count`);
      expect(body).toBe(60);
    });

    it('does not keep one process from hearing what another one changes', async () => {
      const { body: clients } = await admin.send('GET', `/${realm}/clients?clientId=realm-management`);
      await admin.send('POST', `/${realm}/users`, {
        username: 'viewer',
        enabled: true,
        credentials: [{ type: 'password', value: 'secret-1', temporary: false }],
      });
      const { body: users } = await admin.send('GET', `/${realm}/users?username=viewer`);
      const path = `/${realm}/users/${users[0].id}/role-mappings/clients/${clients[0].id}`;
      const { body: right } = await admin.send('GET', `/${realm}/clients/${clients[0].id}/roles/view-users`);
      await admin.send('POST', path, [right]);
      const viewer = await userOf(servers[1], realm, 'viewer', 'secret-1');
      expect((await viewer.send('GET', `/${realm}/users`)).status).toBe(200);
      await admin.send('DELETE', path, [right]);
      await expect.poll(async () => (await viewer.send('GET', `/${realm}/users`)).status, { timeout: 5000 }).toBe(403);
    });
  },
);
