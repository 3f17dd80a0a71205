import type { Services } from '../services/core/context.js';
import { bootstrap } from '../services/realms/bootstrap.js';
import { masterName } from '../services/realms/defaults/master.js';
import { print } from './print.js';

/**
 * Creates the realm master with its administrator if it is missing, as the first start of the service does, and prints
 * this.
 */
export async function ensureMaster(services: Services): Promise<void> {
  if (await services.realms.byName(services.database.read, masterName)) return;
  const { generatedPassword } = await bootstrap(services);
  const password = generatedPassword === undefined ? '' : `, password: ${generatedPassword} (shown only now)`;
  print(`The realm "${masterName}" was created. Administrator: ${services.config.adminUsername}${password}`);
}
