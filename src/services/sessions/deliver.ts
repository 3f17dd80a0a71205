import type { FetchPublic } from '../core/fetch-public.js';

/** Addresses of clients that were notified, and of clients where this failed. Empty lists are left out, as recorded. */
export interface GlobalRequestResult {
  successRequests?: string[];
  failedRequests?: string[];
}

/** A notification of a client. */
export interface Notice {
  /** its address in the answer */
  address: string;
  /** makes the request; undefined if the client cannot be notified */
  request: (() => Promise<NoticeRequest>) | undefined;
  /** whether it counts as successful in any case */
  indifferent?: boolean;
}

interface NoticeRequest {
  url: string;
  type: string;
  body: string;
}

/** Time limits in milliseconds: for one request to a client, and for all requests of an operation. */
const requestTime = 3000;
const wholeTime = 5000;
const atOnce = 16;

/**
 * Sends notices, several at the same time. Never throws: a client that is not reached within a few seconds counts as
 * failed.
 */
export async function deliver(fetchPublic: FetchPublic, notices: readonly Notice[]): Promise<GlobalRequestResult> {
  const over = AbortSignal.timeout(wholeTime);
  const told: boolean[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < notices.length; at = next++) {
      const notice = notices[at] as Notice;
      told[at] = (await isTold(fetchPublic, notice, over)) || notice.indifferent === true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, notices.length) }, worker));
  const addresses = (kind: boolean) => notices.filter((_, at) => told[at] === kind).map(({ address }) => address);
  const [successRequests, failedRequests] = [addresses(true), addresses(false)];
  return {
    ...(successRequests.length > 0 && { successRequests }),
    ...(failedRequests.length > 0 && { failedRequests }),
  };
}

async function isTold(fetchPublic: FetchPublic, { request }: Notice, over: AbortSignal): Promise<boolean> {
  if (!request || over.aborted) return false;
  try {
    const { url, type, body } = await request();
    const { status } = await fetchPublic(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      timeout: requestTime,
      signal: over,
      onlyStatus: true,
    });
    return status === 200 || status === 204;
  } catch {
    return false;
  }
}
