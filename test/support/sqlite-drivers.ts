import type { SqliteDriver } from '../../src/database/sqlite-connection.js';
import { driverOfNode, driverOfPackage } from '../../src/database/sqlite-driver.js';

const ofNode = driverOfNode();

/** The drivers of this Node.js. `npm run newer-node` runs the tests on one that has `node:sqlite`. */
export const sqliteDrivers: readonly SqliteDriver[] = [...(ofNode ? [ofNode] : []), await driverOfPackage()];
