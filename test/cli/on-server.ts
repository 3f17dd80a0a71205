import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/database.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { type Ended, realmgate } from './run.js';

/** A server with a realm, and `realmgate` for it without a database. */
export interface OnServer {
  server: TestServer;
  admin: Caller;
  /** Runs a command with `--url` and the token of the administrator, unless the arguments or variables say otherwise. */
  run(args: string[], env?: Record<string, string>): Promise<Ended>;
  /** Writes a file with a realm, and returns its path. */
  file(content: object): string;
}

/** Starts a server with a realm, on a new database unless one is named. */
export async function onServer(realm: object, databaseUrl?: string): Promise<OnServer> {
  const { server, admin } = await startWithRealm(realm, databaseUrl === undefined ? {} : { databaseUrl });
  const folder = temporaryFolder();
  let files = 0;
  return {
    server,
    admin,
    run: (args, env = { REALMGATE_TOKEN: admin.token }) => realmgate([...args, '--url', server.url], env),
    file(content) {
      files += 1;
      const path = join(folder, `realm-${files}.json`);
      writeFileSync(path, JSON.stringify(content));
      return path;
    },
  };
}
