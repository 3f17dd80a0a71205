import type { Desired } from '../desired/input.js';
import { masker } from '../desired/mask-plan.js';
import { withServices } from '../with-services.js';
import { type RealmAccess, RefusedFile } from './access.js';
import { type ServerOptions, serverOf } from './credentials.js';
import { databaseAccess } from './database.js';
import { serverAccess } from './server.js';

/** Runs `work` as `withRealms` does. Faults of the files that it throws have their lines. */
export const withDesired = <T>(
  options: ServerOptions,
  { secrets, located }: Desired,
  work: (realms: RealmAccess) => Promise<T>,
): Promise<T> =>
  withRealms(options, secrets, (realms) =>
    work(realms).catch((error: unknown) => {
      throw error instanceof RefusedFile ? located(error.faults) : error;
    }),
  );

/**
 * Runs `work` with the realms of the server that the options name, otherwise of the database in the settings. Errors
 * that it throws have masks in place of the secrets, because a refusal can contain the refused value.
 */
export async function withRealms<T>(
  options: ServerOptions,
  secrets: readonly string[],
  work: (realms: RealmAccess) => Promise<T>,
): Promise<T> {
  const server = serverOf(options);
  try {
    return await (server ? work(serverAccess(server)) : withServices((services) => work(databaseAccess(services))));
  } catch (error) {
    if (error instanceof Error && secrets.length > 0) {
      const masked = masker(secrets);
      error.message = masked(error.message);
      error.stack = masked(error.stack ?? '');
    }
    throw error;
  }
}
