import type { Logger } from 'pino';
import type { Config } from './config.js';

/** Logs what a service that others depend on should not do without. Called once per start, not by each worker. */
export function warnOfSettings({ publicUrl, hosts, secretsKey }: Config, log: Logger): void {
  if (publicUrl === undefined && hosts === undefined) {
    log.warn('PUBLIC_URL is not set: emails with links are sent only for requests to localhost and private addresses');
  }
  if (secretsKey === undefined) {
    log.warn('SECRETS_KEY is not set: the database contains secrets that are not encrypted');
  }
}
