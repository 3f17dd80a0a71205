import { counter, gauge } from '../../telemetry/instruments.js';

const deliveries = counter({
  name: 'realmgate_webhook_deliveries_total',
  help: 'Number of attempts to deliver an event to a webhook, by result (delivered, failed).',
  labelNames: ['result'],
});

/** The events that this process has read and must still deliver, by the ID of the webhook. */
const pending = new Map<string, { count: number; oldest: number }>();

gauge(
  {
    name: 'realmgate_webhook_events_pending',
    help: 'Number of events that were read for delivery to webhooks and are not delivered yet, at most 20 of each webhook.',
  },
  (events) => events.set([...pending.values()].reduce((sum, { count }) => sum + count, 0)),
);
gauge(
  {
    name: 'realmgate_webhook_oldest_pending_seconds',
    help: 'Age of the oldest event that is not delivered to its webhook yet. 0 if there is none.',
  },
  (age) => {
    const oldest = Math.min(...[...pending.values()].map((one) => one.oldest));
    age.set(Number.isFinite(oldest) ? Math.max((Date.now() - oldest) / 1000, 0) : 0);
  },
  { together: 'max' },
);

/** Stores the pending events of a webhook, in their order; empty if all are delivered or another process does it. */
export function notePending(webhook: string, events: readonly { time: bigint }[]): void {
  const [first] = events;
  if (first) pending.set(webhook, { count: events.length, oldest: Number(first.time) });
  else pending.delete(webhook);
}

/**
 * Stores an event that this process saw but may not deliver: another process has the webhook, or it is retried later.
 */
export function notePendingElsewhere(webhook: string, [first]: readonly { time: bigint }[]): void {
  if (first) pending.set(webhook, { count: pending.get(webhook)?.count ?? 0, oldest: Number(first.time) });
}

/** Counts an attempt to deliver. */
export const noteAttempt = ({ succeeded }: { succeeded: boolean }): void =>
  deliveries.inc({ result: succeeded ? 'delivered' : 'failed' });
