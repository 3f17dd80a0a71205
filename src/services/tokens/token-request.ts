import type { Guessed } from '../core/failed-attempts.js';
import type { FindCertificate } from './client-certificate.js';

/** A request to the token endpoint of a realm. */
export interface TokenRequest {
  realmName: string;
  form: URLSearchParams;
  /** the Authorization header */
  authorization?: string | null;
  /** scheme, host and base path, without a slash at the end */
  baseUrl: string;
  /** the header `DPoP` (RFC 9449) */
  proof?: string | undefined;
  findCertificate?: FindCertificate | undefined;
  /** the address that the request came from */
  remoteAddress?: string;
}

/** The answer of an endpoint for clients, good or bad. */
export interface ClientAnswer {
  status: number;
  body?: Record<string, unknown> | unknown[];
  headers: Record<string, string>;
  /** the origins that may read the answer; nothing when the client is not known, and then any may */
  allowedOrigins: string[] | undefined;
  /** what was guessed at, where the request failed by that */
  guessed?: Guessed | undefined;
}

/** The answer of the token endpoint. */
export type TokenAnswer = ClientAnswer & { body: Record<string, unknown> };
