import { limit } from '../../config/limits.js';
import { outsideTransaction } from '../core/deferred-work.js';
import { write } from '../core/operation.js';
import { invalid, notFound } from '../core/refusal.js';
import { long, representation } from '../core/shape.js';
import { byPlace } from '../events/place.js';
import { tell } from './deliver.js';
import type { DeliveryTarget, WebhookTarget } from './locate.js';
import { eventById, messageOf, placeOf } from './messages.js';
import { type Attempted, actionOn, current, lock, touched } from './operations.js';
import type { Attempt } from './send.js';
import { eventsSince, goBack, storeDelivery } from './store.js';

/** Maximum events that one replay sends again. New events are sent after them. */
const mostReplayed = limit('Objects', 'Events that a webhook sends again', 10_000, 'events');

/** The start of the events that are sent again, in milliseconds since 1970. */
const WebhookReplayRepresentation = representation('WebhookReplayRepresentation', { since: long });

export const replayDelivery = write({
  name: 'webhook.replayDelivery',
  summary:
    'Sends the event of a delivery attempt to its webhook again, immediately and without retries. Works for a disabled webhook too.',
  allow: 'manage:events',
  prepare: async ({ db, services, unit }, { realm, webhook, delivery }: DeliveryTarget, _input, asked) => {
    const event = await eventById(db, realm.id, delivery.eventId);
    if (!event) throw notFound('The event of this delivery is not stored', 'id');
    // a dry run sends nothing
    if (unit?.dryRun || asked?.dryRun) return undefined;
    const send = () => tell(services, webhook, messageOf(event));
    return outsideTransaction<Attempt | undefined>('replay', send, { assumed: () => undefined });
  },
  run: async (tx, { webhook, delivery }, _input, { ctx, prepared: attempt }): Promise<Attempted> => {
    const again = { ...delivery, id: ctx.services.newId(), webhookId: webhook.id };
    if (attempt) await storeDelivery(tx, again, attempt);
    return { id: webhook.id, attempt };
  },
  event: ({ id }) => actionOn(id),
  touches: () => [],
});

export const replay = write({
  name: 'webhook.replay',
  summary:
    'Sends the stored events since a time to a webhook again, in their order, whether they were delivered or not. A disabled webhook receives them when it is enabled.',
  input: WebhookReplayRepresentation,
  allow: 'manage:events',
  lock,
  refresh: current,
  run: async (tx, { webhook }: WebhookTarget, { since }) => {
    if (since === undefined) throw invalid('`since` is required', 'since');
    const { count, first } = await eventsSince(tx, webhook, BigInt(since), mostReplayed + 1);
    if (count > mostReplayed) {
      throw invalid(`\`since\` must be later: more than ${mostReplayed} events are stored since then`, 'since');
    }
    const before = placeOf(webhook);
    const start = { position: first, time: 0n, id: '' };
    // events that the webhook has not received yet are not skipped
    await goBack(tx, webhook.id, count > 0 && byPlace(start, before) < 0 ? start : before);
    return { id: webhook.id, since, events: count };
  },
  event: ({ id, since, events }) => actionOn(id, { since, events }),
  touches: touched,
});
