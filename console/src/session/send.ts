import { accessToken, refuseToken } from './sign-in.js';
import { createStore } from './store.js';

/** The server has answered 503, and the request is repeated in so many seconds. */
interface Busy {
  seconds: number;
}

/** `lost`: the server cannot be reached. Requests are repeated then, and while the server is busy. */
export const connection = createStore<'good' | 'lost' | Busy>('good');

/** Resolves after so many milliseconds. */
export const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/** A read can be repeated. A write whose answer was lost may have been performed, so that its screen decides. */
const isRead = (init?: RequestInit): boolean => !/"query":"\s*mutation\b/.test(String(init?.body));

/** Milliseconds before the next attempt: longer after each one, and as long as the server asks for. */
export function waitFor(attempt: number, response: Response | undefined): number {
  const asked = Number(response?.headers.get('retry-after')) * 1000;
  return Math.max(Math.min(250 * 2 ** attempt, 4000), Math.min(asked || 0, 60_000));
}

/** `fetch` with the caller's token, which repeats what the server could not take: after 503, and reads after a lost connection. */
export const send: typeof fetch = async (input, init) => {
  for (let attempt = 0; ; attempt += 1) {
    const token = await accessToken();
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(input, { ...init, headers }).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error;
      connection.set('lost');
      if (!isRead(init)) throw error;
      return undefined;
    });
    const wait = waitFor(attempt, response);
    if (response) connection.set(response.status === 503 ? { seconds: Math.ceil(wait / 1000) } : 'good');
    if (response?.status === 401) refuseToken(token);
    else if (response && response.status !== 503) return response;
    await pause(wait);
  }
};
