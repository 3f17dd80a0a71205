import { chmodSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialect, freshDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';

const modesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(`${folder}/${name}`).mode & 0o777).toString(8)]),
  );

describe.skipIf(dialect !== 'sqlite')('the files of a SQLite database', () => {
  it('are readable by their owner only, those of an older version too', async () => {
    const databaseUrl = await freshDatabaseUrl();
    const folder = dirname(databaseUrl.slice('file:'.length));
    const umask = process.umask(0);
    try {
      const server = await startServer({ databaseUrl });
      await administrator(server);
      expect(modesIn(folder)).toEqual({ 'test.db': '600', 'test.db-wal': '600', 'test.db-shm': '600' });
      // as an older version left them
      for (const name of readdirSync(folder)) chmodSync(`${folder}/${name}`, 0o644);
      const second = await startServer({ databaseUrl });
      await administrator(second);
      expect(new Set(Object.values(modesIn(folder)))).toEqual(new Set(['600']));
    } finally {
      process.umask(umask);
    }
  });
});
