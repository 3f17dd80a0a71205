import type { Caller } from '../support/fixture.js';

interface Answer {
  /** 0 when the connection ended without an answer */
  status: number;
  retryAfter: string | null;
}

/** Requests that are sent one after the other. */
export interface Stream<A extends Answer = Answer> {
  readonly answers: A[];
  stop(): Promise<void>;
}

async function answerTo(asked: Promise<Response>): Promise<Answer> {
  try {
    const response = await asked;
    await response.arrayBuffer();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { status: 0, retryAfter: null };
  }
}

/** Sends one request after the other, until it is told to stop. `send` gets the number of the request. */
export function repeat<A extends object>(send: (at: number) => readonly [A, Promise<Response>]): Stream<Answer & A> {
  const answers: (Answer & A)[] = [];
  let running = true;
  const ended = (async () => {
    for (let at = 0; running; at += 1) {
      const [about, asked] = send(at);
      answers.push({ ...about, ...(await answerTo(asked)) });
    }
  })();
  return {
    answers,
    stop() {
      running = false;
      return ended;
    },
  };
}

/** Creates users of a realm through an instance, one after the other. No answer within `patience` (milliseconds) fails. */
export function createUsers(
  { realm, name, patience, note }: { realm: string; name: string; patience: number; note?: () => string },
  { url }: { url: string },
  { token }: Pick<Caller, 'token'>,
) {
  const stream = repeat((at) => {
    const username = `${name}-${at}`;
    const text = note?.() ?? '';
    const asked = fetch(`${url}/auth/${realm}/users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ username, enabled: true, ...(text !== '' && { attributes: { note: [text] } }) }),
      signal: AbortSignal.timeout(patience),
    });
    return [{ username }, asked];
  });
  return { ...stream, created: () => stream.answers.filter(({ status }) => status === 201) };
}
