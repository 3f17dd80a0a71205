import type { Logger } from 'pino';
import type { FenceReport } from './fence.js';

/** Logs the events of the hosts of a database that an operator needs to know. */
export const logFence = (log: Logger): FenceReport => ({
  switched: (host, timeline, previous) =>
    log.warn({ host, timeline, previous }, 'a standby of the database was promoted and is used'),
  refused: (host, message) => log.error({ host }, `a database server is refused: ${message}`),
  accepted: (host) => log.info({ host }, 'a database server that was refused can be used again'),
  unidentified: (host, error) =>
    log.warn({ host, err: error }, 'the database server does not tell its timeline: a former primary is not noticed'),
});
