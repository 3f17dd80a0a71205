import { randomUUID } from 'node:crypto';
import type { Services } from '../core/context.js';
import type { Place } from '../events/place.js';
import { type Listener, listenForEvents } from '../events/watch.js';
import { notePending } from './backlog.js';
import { deliverTo } from './deliver.js';

/** The key that a write of a webhook touches. */
export const touchesWebhooks = (realmId: string): string => `webhooks:${realmId}`;

/** Maximum webhooks that one process serves at the same time; others wait. */
const atOnce = 50;
/** Milliseconds between checks of webhooks without a notice: another process may have stopped in the middle. */
const interval = 5000;
const reloadInterval = 30_000;

/**
 * Sends events to the webhooks of all realms until the service stops. Every process does so; a row of the database
 * gives each webhook to one of them at a time. Resolves after running deliveries have ended.
 */
export function startWebhooks(services: Services): () => Promise<void> {
  const { database, feed, log, stopping } = services;
  const owner = randomUUID();
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const passed = new Map<string, Place>();
  const retries = new Set<NodeJS.Timeout>();
  let enabled: { id: string; realmId: string }[] = [];
  let listener: Listener | undefined;
  let changes = 0;

  async function turn(id: string): Promise<void> {
    const before = changes;
    const result = await deliverTo(services, id, owner, passed.get(id));
    if (result.kind === 'done' && result.passed && before === changes) passed.set(id, result.passed);
    if (result.kind !== 'failed') return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      start(id);
    }, result.wait + 1);
    retries.add(timer);
  }
  function start(id: string): void {
    if (stopping.aborted) return;
    if (running.has(id) || running.size >= atOnce) {
      again.add(id);
      return;
    }
    again.delete(id);
    const work = turn(id)
      .catch((error) => log.warn({ err: error, webhook: id }, 'a webhook message could not be delivered; retrying'))
      .finally(() => {
        running.delete(id);
        for (const waiting of again) start(waiting);
      });
    running.set(id, work);
  }
  async function reload(): Promise<void> {
    const before = enabled;
    enabled = await database.upkeep.read.webhook.findMany({
      where: { enabled: true },
      select: { id: true, realmId: true },
    });
    const known = new Set(enabled.map(({ id }) => id));
    for (const { id } of before) if (!known.has(id)) notePending(id, []);
    for (const id of passed.keys()) if (!known.has(id)) passed.delete(id);
    if (enabled.length > 0 && !listener) void listen();
    for (const { id } of enabled) start(id);
  }
  async function listen(): Promise<void> {
    const own = listenForEvents(services, () => enabled.map(({ realmId }) => realmId));
    listener = own;
    while (!stopping.aborted && enabled.length > 0) {
      await own.news(interval, stopping);
      for (const { id } of enabled) start(id);
    }
    own.stop();
    listener = undefined;
  }
  const reloadSafely = (): void => {
    reload().catch((error) => log.warn({ err: error }, 'webhooks cannot be read; retrying'));
  };
  const unsubscribe = feed.subscribe(({ touches }) => {
    if (!touches.some((key) => key.startsWith('webhooks:'))) return;
    // the wanted events have changed, so the known places without events are outdated
    changes += 1;
    passed.clear();
    reloadSafely();
  });
  const timer = setInterval(reloadSafely, reloadInterval).unref();
  reloadSafely();
  return async () => {
    unsubscribe();
    clearInterval(timer);
    for (const retry of retries) clearTimeout(retry);
    await Promise.all(running.values());
  };
}
