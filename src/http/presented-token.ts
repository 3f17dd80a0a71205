import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import type { FindCertificate } from '../services/tokens/client-certificate.js';
import type { Proof } from '../services/tokens/dpop.js';
import { certificateFinder } from './client-certificate.js';

/** An access token as a request presents it. */
export interface PresentedToken {
  token: string;
  /** only with the scheme `DPoP` (RFC 9449 section 7.1) */
  proof?: Proof;
  findCertificate: FindCertificate;
}

/** The access token in the header `Authorization` of a request to this base address. Undefined if there is none. */
export function presentedToken(message: IncomingMessage, baseUrl: string, config: Config): PresentedToken | undefined {
  const [, scheme = '', token] = /^(bearer|dpop) +(\S+) *$/i.exec(message.headers.authorization ?? '') ?? [];
  if (token === undefined) return undefined;
  const findCertificate = certificateFinder(message, config);
  if (scheme.toLowerCase() === 'bearer') return { token, findCertificate };
  const url = new URL(message.url ?? '/', baseUrl).href;
  return { token, findCertificate, proof: { text: proofOf(message) ?? '', method: message.method ?? 'GET', url } };
}

/** The header `DPoP` of a request. */
export const proofOf = ({ headers: { dpop } }: IncomingMessage): string | undefined =>
  typeof dpop === 'string' ? dpop : dpop?.join(', ');
