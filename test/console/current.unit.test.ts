import { Client, cacheExchange, fetchExchange } from 'urql';
import { expect, it } from 'vitest';
import { keepCurrent } from '../../console/src/session/current.js';

const query = '{ role { __typename name } }';
const mutation = 'mutation { rename { __typename name } }';

/** A client whose requests wait until the test answers them, in any order. */
function connected() {
  const requests: { text: string; answer(data: object): void }[] = [];
  const client: Client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch: (_url, init) =>
      new Promise((resolve) => {
        const { query: text } = JSON.parse(String(init?.body));
        const headers = { 'content-type': 'application/json' };
        requests.push({ text, answer: (data) => resolve(new Response(JSON.stringify({ data }), { headers })) });
      }),
    exchanges: [cacheExchange, keepCurrent(() => client), fetchExchange],
  });
  const shown: unknown[] = [];
  client.query(query, {}).subscribe(({ data }) => void shown.push(data?.role.name));
  /** The next request, once it was sent. */
  const next = async (start: string) => {
    await expect.poll(() => requests.some(({ text }) => text.startsWith(start))).toBe(true);
    const at = requests.findIndex(({ text }) => text.startsWith(start));
    const [request] = requests.splice(at, 1);
    return request as (typeof requests)[number];
  };
  const role = (name: string) => ({ role: { __typename: 'Role', name } });
  const rename = async () => {
    const done = client.mutation(mutation, {}).toPromise();
    (await next('mutation')).answer({ rename: { __typename: 'Role', name: 'ignored' } });
    await done;
  };
  return { shown, next, role, rename, requests };
}

it('shows what a second mutation has changed while the first one was loaded', async () => {
  const { shown, next, role, rename, requests } = connected();
  (await next('{')).answer(role('first'));
  await expect.poll(() => shown.at(-1)).toBe('first');
  await rename();
  const early = await next('{');
  await rename();
  early.answer(role('second'));
  (await next('{')).answer(role('third'));
  await expect.poll(() => shown.at(-1)).toBe('third');
  expect(requests).toEqual([]);
});

it('shows what a mutation has changed while the first answer was under way', async () => {
  const { shown, next, role, rename, requests } = connected();
  const early = await next('{');
  await rename();
  early.answer(role('first'));
  (await next('{')).answer(role('second'));
  await expect.poll(() => shown.at(-1)).toBe('second');
  expect(requests).toEqual([]);
});
