import type { Logger } from 'pino';
import type { Config } from './config.js';

/** What a service that others depend on should not do without, a sentence for each. */
export const warningsOf = ({ publicUrl, hosts, secretsKey, clientCertificateHeader, trustProxy }: Config): string[] => [
  ...(publicUrl === undefined && hosts === undefined
    ? ['PUBLIC_URL is not set: emails with links are sent only for requests to localhost and private addresses']
    : []),
  ...(secretsKey === undefined ? ['SECRETS_KEY is not set: the database contains secrets that are not encrypted'] : []),
  ...(clientCertificateHeader !== undefined && trustProxy === 0
    ? ['CLIENT_CERTIFICATE_HEADER has no effect without TRUST_PROXY: certificates of clients are not known']
    : []),
];

/** Logs the warnings. Called once per start, not by each worker. */
export function warnOfSettings(config: Config, log: Logger): void {
  for (const warning of warningsOf(config)) log.warn(warning);
}
