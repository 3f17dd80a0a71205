import { withServices } from '../with-services.js';
import type { RealmAccess } from './access.js';
import { type ServerOptions, serverOf } from './credentials.js';
import { databaseAccess } from './database.js';
import { serverAccess } from './server.js';

/** Runs `work` with the realms of the server that the options name, otherwise with those of the database of the settings. */
export async function withRealms<T>(options: ServerOptions, work: (realms: RealmAccess) => Promise<T>): Promise<T> {
  const server = serverOf(options);
  return server ? work(serverAccess(server)) : withServices((services) => work(databaseAccess(services)));
}
