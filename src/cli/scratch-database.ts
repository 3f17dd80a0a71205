import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/config.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';
import type { Context } from '../services/core/context.js';
import { createServices } from '../services/services.js';
import { createLog } from '../telemetry/log.js';
import { operatorContext } from './with-services.js';

/** Runs `work` on an empty SQLite database in a temporary folder, which is removed afterwards. Uses no settings of the environment. */
export async function withScratchDatabase<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-'));
  try {
    const config = readConfig({ DATABASE_URL: `file:${join(folder, 'scratch.db')}`, LOG_LEVEL: 'fatal' });
    await migrate(config.databaseUrl);
    const database = await openDatabase(config);
    try {
      const stopping = new AbortController().signal;
      const given = { config, database, log: createLog(config), now: Date.now, stopping };
      return await work(operatorContext(createServices(given, { opensUnbound: false })));
    } finally {
      await database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
