// Requests that come at a steady rate, whatever the answers take: as they come from many people. A time counts from when
// the request was due, so that a service that stands still is not asked less while it does.
import { quantile } from './client.mjs';

/**
 * Sends the requests of each stream at its rate until the work is done and all are answered.
 * @param {Record<string, { rate: number, send: (at: number) => Promise<unknown> }>} streams rate: requests per second
 * @param {() => Promise<unknown>} work
 * @returns seconds that the work took, how many requests failed, and for each stream `count`, and `p50`, `p99`, `p999`
 *   and `max` in milliseconds, with `all` of them in order
 */
export async function steady(streams, work) {
  const started = performance.now();
  const pending = new Set();
  const spent = Object.fromEntries(Object.keys(streams).map((name) => [name, []]));
  let failed = 0;
  let running = true;
  const start = (name, at, due) => {
    const sent = streams[name]
      .send(at)
      .then(() => spent[name].push(performance.now() - due))
      .catch(() => {
        failed += 1;
      })
      .finally(() => pending.delete(sent));
    pending.add(sent);
  };
  const streaming = Object.entries(streams).map(async ([name, { rate }]) => {
    for (let at = 0; running; at += 1) {
      const due = started + (at * 1000) / rate;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resume) => setTimeout(resume, wait));
      if (running) start(name, at, due);
    }
  });
  await work();
  const seconds = (performance.now() - started) / 1000;
  running = false;
  await Promise.all(streaming);
  await Promise.all(pending);
  const figures = Object.entries(spent).map(([name, list]) => {
    list.sort((a, b) => a - b);
    const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(list, share));
    return [name, { count: list.length, p50, p99, p999, max: list.at(-1), all: list }];
  });
  return { seconds, failed, ...Object.fromEntries(figures) };
}

/** Three cells of a table: median, 99th percentile and most milliseconds. */
export const report = ({ p50, p99, max }) =>
  [p50, p99, max].map((value) => (value === undefined ? '–' : value.toFixed(1)));
