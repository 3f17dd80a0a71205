import type { Caller } from '../support/fixture.js';

interface Answer {
  username: string;
  status: number;
  retryAfter: string | null;
}

/** Creates users of a realm through an instance, one after the other, until it is told to stop. No answer within `patience` fails. */
export function createUsers(
  { realm, name, patience }: { realm: string; name: string; patience: number },
  { url }: { url: string },
  { token }: Pick<Caller, 'token'>,
) {
  const answers: Answer[] = [];
  let running = true;
  const ended = (async () => {
    for (let at = 0; running; at += 1) {
      const username = `${name}-${at}`;
      const response = await fetch(`${url}/auth/${realm}/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ username, enabled: true }),
        signal: AbortSignal.timeout(patience),
      });
      await response.arrayBuffer();
      answers.push({ username, status: response.status, retryAfter: response.headers.get('retry-after') });
    }
  })();
  return {
    answers,
    created: () => answers.filter(({ status }) => status === 201),
    stop() {
      running = false;
      return ended;
    },
  };
}
