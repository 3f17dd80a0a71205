import { directUrl } from '../../config/database-hosts.js';
import { vacuum } from '../../database/vacuum.js';
import { print } from '../print.js';
import { withDatabase } from '../with-services.js';

/** Vacuums the database and prints the freed space. */
export const vacuumDatabase = (): Promise<void> =>
  withDatabase(async (_database, config) => {
    const sizes = await vacuum(directUrl(config));
    if (sizes) print(`The database had ${megabytes(sizes.before)} MB and has ${megabytes(sizes.after)} MB.`);
    else print('The tables are vacuumed and analyzed.');
  });

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
