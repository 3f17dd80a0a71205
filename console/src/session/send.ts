import { accessToken, refuseToken } from './sign-in.js';
import { createStore } from './store.js';

/** `lost`: the server cannot be reached. `busy`: it has answered 503. In both cases requests are repeated. */
export const connection = createStore<'good' | 'lost' | 'busy'>('good');

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/** A read can be repeated. A write whose answer was lost may have been performed, so that its screen decides. */
const isRead = (init?: RequestInit): boolean => !/"query":"\s*mutation\b/.test(String(init?.body));

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
    if (response) connection.set(response.status === 503 ? 'busy' : 'good');
    if (response?.status === 401) refuseToken(token);
    else if (response && response.status !== 503) return response;
    await pause(Math.min(250 * 2 ** attempt, 4000));
  }
};
