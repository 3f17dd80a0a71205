import type { FetchPublic } from '../core/fetch-public.js';
import { PrivateAddress } from '../core/public-address.js';
import { signatures } from './sign.js';

/** A message to a webhook. */
export interface Message {
  /** the same for each attempt, so that the receiver can recognize repeated messages */
  id: string;
  body: string;
}

export interface Receiver {
  url: string;
  /** that sign, the newest first */
  secrets: readonly string[];
}

/** The result of one attempt. */
export interface Attempt {
  succeeded: boolean;
  /** status of the answer, if there was one */
  status: number | undefined;
  error: string | undefined;
  /** milliseconds */
  duration: number;
}

export interface Sending {
  fetchPublic: FetchPublic;
  privateAddresses: boolean;
  /** milliseconds since 1970 */
  now: () => number;
  /** ends the attempt */
  stopping: AbortSignal;
}

/** Maximum duration of one attempt, in milliseconds. */
const timeout = 10_000;

/**
 * Sends a message by POST, signed by the Standard Webhooks specification (webhook-id, webhook-timestamp,
 * webhook-signature). Any status from 200 to 299 means success; redirects are not followed, and the body of the answer
 * is not read. Unless `privateAddresses`, it is sent to public addresses only. Never throws.
 */
export async function send(
  { url, secrets }: Receiver,
  { id, body }: Message,
  { fetchPublic, privateAddresses, now, stopping }: Sending,
): Promise<Attempt> {
  const started = performance.now();
  const timestamp = Math.floor(now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(secrets, id, timestamp, body),
  };
  const outcome = (status: number | undefined, error?: string): Attempt => ({
    succeeded: error === undefined && status !== undefined && status >= 200 && status < 300,
    status,
    error: error ?? (status !== undefined && status >= 200 && status < 300 ? undefined : `HTTP status ${status}`),
    duration: Math.round(performance.now() - started),
  });
  try {
    const request = { method: 'POST', headers, body, timeout, signal: stopping, privateAddresses } as const;
    return outcome((await fetchPublic(url, { ...request, onlyStatus: true })).status);
  } catch (error) {
    return outcome(undefined, reasonOf(error));
  }
}

/** The reason for administrators; it contains no part of the message. */
function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return error.message;
  if (!(error instanceof Error)) return 'Failed';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'No response in time';
  return 'code' in error && typeof error.code === 'string' ? `Could not be reached (${error.code})` : 'Failed';
}
