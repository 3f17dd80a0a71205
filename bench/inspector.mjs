// The inspector of a running service, from outside: its CPU profile, and expressions in it.
import { once } from 'node:events';
import WebSocket from 'ws';

/**
 * Connects to the inspector of a service that was started with `--inspect`.
 * @param {number} port
 * @returns {Promise<{ evaluate: (expression: string) => Promise<unknown>, profile: (work: () => Promise<unknown>) => Promise<object>, close: () => void }>}
 */
export async function inspect(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl, { maxPayload: 2 ** 30 });
  await once(socket, 'open');
  const waiting = new Map();
  let last = 0;
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(data);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  });
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await send('Profiler.enable');
  await send('Profiler.setSamplingInterval', { interval: 250 });
  return {
    async evaluate(expression) {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result.value;
    },
    /** The CPU profile of the service while `work` is done. */
    async profile(work) {
      await send('Profiler.start');
      await work();
      return (await send('Profiler.stop')).profile;
    },
    close: () => socket.close(),
  };
}

/** What a function of the profile belongs to, in the order of the table. */
const parts = [
  ['Node: garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['SQLite', ({ url, functionName }) => url === '' && ['all', 'get', 'run', 'exec', 'raw'].includes(functionName)],
  [
    'Node: writing to sockets',
    ({ url, functionName }) => url === '' && /^(writev|write[A-Z]\w*String|writeBuffer)$/.test(functionName),
  ],
  ['Node: loop and native code', ({ url }) => url === ''],
  [
    'Node: http, net and streams',
    ({ url }) => /^node:(_http|net|internal\/(streams|stream_base|http)|_stream)/.test(url),
  ],
  ['Node: promises, timers and others', ({ url }) => url.startsWith('node:')],
  [
    'GraphQL libraries',
    ({ url }) => /node_modules\/(graphql|@pothos|@graphql|@envelop|@whatwg|graphql-yoga|dataloader)/.test(url),
  ],
  ['Prisma and drivers', ({ url }) => /node_modules\/(@prisma|@photostructure|pg)/.test(url)],
  ['other libraries', ({ url }) => url.includes('/node_modules/')],
  ['src/http', ({ url }) => url.includes('/build/http/')],
  ['src/rest', ({ url }) => url.includes('/build/rest/')],
  ['src/graph', ({ url }) => url.includes('/build/graph/')],
  ['src/database', ({ url }) => url.includes('/build/database/')],
  ['src/services', ({ url }) => url.includes('/build/')],
  ['the measuring itself', () => true],
];

export const partNames = parts.map(([name]) => name);

/**
 * Milliseconds that the main thread spent in each part while it was not idle.
 * @param {{ nodes: object[], samples: number[], timeDeltas: number[] }} profile
 * @returns {Map<string, number>}
 */
export function spentByPart({ nodes, samples, timeDeltas }) {
  const partOf = new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      callFrame.functionName === '(idle)' ? undefined : parts.find(([, holds]) => holds(callFrame))[0],
    ]),
  );
  const spent = new Map();
  samples.forEach((id, at) => {
    const part = partOf.get(id);
    if (part) spent.set(part, (spent.get(part) ?? 0) + timeDeltas[at] / 1000);
  });
  return spent;
}
