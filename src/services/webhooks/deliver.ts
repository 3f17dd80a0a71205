import { eventHorizon } from '../../database/event-positions.js';
import type { Services } from '../core/context.js';
import type { Place } from '../events/place.js';
import { noteAttempt, notePending, notePendingElsewhere } from './backlog.js';
import { eventsFor, messageOf, type OutgoingEvent, placeOf } from './messages.js';
import { secretPlace, type WebhookRow, webhookSelect } from './representation.js';
import { type Attempt, type Message, send } from './send.js';
import { advance, claim, type Delivery, release, setBack } from './store.js';

type Needed = Pick<
  Services,
  'config' | 'fetchPublic' | 'database' | 'sealer' | 'log' | 'webhookOutages' | 'newId' | 'now' | 'stopping'
>;

/** Maximum events that are read at once. Changes by an administrator in the meantime apply to the next events. */
const atOnce = 20;
/** Longest wait between two attempts, in milliseconds. */
const longestWait = 60 * 60 * 1000;

/**
 * The result of a turn: nothing is left, another process has the webhook, or it must be retried after `wait`
 * milliseconds.
 */
export type Turn = { kind: 'done'; passed: Place | undefined } | { kind: 'taken' } | { kind: 'failed'; wait: number };

/** Sends one message to a webhook. */
export const tell = (services: Needed, webhook: WebhookRow, message: Message): Promise<Attempt> => {
  const { config, fetchPublic, sealer, now, stopping } = services;
  const { url, secret, previousSecret, previousSecretUntil } = webhook;
  const secrets = [sealer.open(secret, secretPlace(webhook))];
  if (previousSecret && previousSecretUntil > now()) {
    secrets.push(sealer.open(previousSecret, secretPlace(webhook, 'previousSecret')));
  }
  const receiver = { url, secrets };
  return send(receiver, message, { fetchPublic, privateAddresses: config.webhookPrivateAddresses, now, stopping });
};

/**
 * Sends the pending events to a webhook, one after the other, until none is left or one cannot be delivered. `passed`
 * is a place up to which the webhook is known to have no events.
 */
export async function deliverTo(services: Needed, id: string, owner: string, passed: Place | undefined): Promise<Turn> {
  const { database, stopping } = services;
  let isOwn = false;
  let nothingUntil = passed;
  while (!stopping.aborted) {
    const webhook = await database.read.webhook.findUnique({ where: { id }, select: webhookSelect });
    if (!webhook?.enabled) break;
    const horizon = await eventHorizon(database);
    const place = later(placeOf(webhook), nothingUntil);
    const events = await eventsFor(database.read, webhook, place, horizon, isOwn ? atOnce : 1);
    if (isOwn || events.length === 0) notePending(id, events);
    if (events.length === 0) {
      nothingUntil = later(place, { position: horizon - 1n, time: lastTime, id: '' });
      break;
    }
    if (!isOwn) {
      isOwn = await claim(database, id, owner);
      if (!isOwn) {
        notePendingElsewhere(id, events);
        return { kind: 'taken' };
      }
      continue;
    }
    const turn = await deliverAll(services, webhook, owner, events);
    if (turn) return turn;
  }
  notePending(id, []);
  if (isOwn) await release(database, id, owner);
  return { kind: 'done', passed: nothingUntil };
}

/** later than every event of a position */
const lastTime = 2n ** 62n;

const later = (one: Place, other: Place | undefined): Place =>
  other !== undefined && other.position >= one.position ? other : one;

async function deliverAll(
  services: Needed,
  webhook: WebhookRow,
  owner: string,
  events: OutgoingEvent[],
): Promise<Turn | undefined> {
  const { database, stopping, newId } = services;
  let { failures } = webhook;
  for (const [at, event] of events.entries()) {
    if (stopping.aborted) return undefined;
    const attempt = await tell(services, webhook, messageOf(event));
    noteAttempt(attempt);
    if (attempt.succeeded) services.webhookOutages.succeeded(webhook.id);
    else services.webhookOutages.failed({ webhook: webhook.id, reason: attempt.error }, webhook.id);
    const delivery: Delivery = {
      id: newId(),
      webhookId: webhook.id,
      eventId: event.id,
      eventType: event.type,
    };
    // the next process delivers it again
    if (!attempt.succeeded && stopping.aborted) return undefined;
    if (!attempt.succeeded) {
      const setback = setbackOf(services, failures, attempt);
      // nothing is delivered to it until it is enabled again
      if (setback.disabledReason) notePending(webhook.id, []);
      if (setback.disabledReason) services.log.warn({ webhook: webhook.id }, 'a webhook was disabled');
      await setBack(database, owner, setback, delivery, attempt);
      return setback.disabledReason === undefined
        ? { kind: 'failed', wait: setback.wait }
        : { kind: 'done', passed: undefined };
    }
    failures = 0;
    notePending(webhook.id, events.slice(at + 1));
    if (await advance(database, owner, event, delivery, attempt)) continue;
    notePending(webhook.id, []);
    return { kind: 'taken' };
  }
  return undefined;
}

/** Doubles the wait after each failure, minus a random part, so that receivers do not get all retries at once. */
function setbackOf({ config }: Needed, failures: number, { status, error }: Attempt) {
  const { webhookAttempts, webhookRetryWait } = config;
  const wait = Math.min(webhookRetryWait * 1000 * 2 ** failures, longestWait);
  const last = failures + 1 >= webhookAttempts;
  return {
    wait: Math.ceil(wait * (0.5 + Math.random() / 2)),
    disabledReason:
      status === 410
        ? 'The receiver responded with status 410 (Gone)'
        : last
          ? `${failures + 1} attempts in a row failed; the last one: ${error}`
          : undefined,
  };
}
