import { connection, pause, waitFor } from './send.js';

/**
 * Loads a module, and waits for a connection that is lost. Rejects if the server can be reached and does not have the module, as after
 * an update of the server.
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const module = await load();
      if (attempt > 0) connection.set('good');
      return module;
    } catch (error) {
      const isReachable = await fetch('/health/live').then(
        () => true,
        () => false,
      );
      if (isReachable && attempt > 0) throw error;
      if (!isReachable) connection.set('lost');
      await pause(waitFor(attempt, undefined));
    }
  }
}
