import type { Db } from '../../database/db.js';
import { eventHorizon } from '../../database/event-positions.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { outsideTransaction } from '../core/deferred-work.js';
import { type AuditRecord, list, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, invalid } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { tell } from './deliver.js';
import type { WebhookTarget } from './locate.js';
import { messageOf } from './messages.js';
import { encodeWebhook, secretPlace, WebhookRepresentation, webhookSelect } from './representation.js';
import type { Attempt } from './send.js';
import { newSecret } from './sign.js';
import { storeDelivery } from './store.js';
import { merged, mostOfRealm, webhookPlaces } from './stored.js';
import { touchesWebhooks } from './worker.js';

/** How long the secret before the present one signs too, in milliseconds. */
const rotationTime = 24 * 60 * 60 * 1000;

/** A webhook with the secret that the caller gets to see this one time. */
export interface WithSecret {
  id: string;
  secret: string;
}

/** A webhook to which a message was sent; without an attempt in a dry run. */
export interface Attempted {
  id: string;
  attempt: Attempt | undefined;
}

const audit = (operationType: AuditRecord['operationType'], id: string, more: Partial<AuditRecord> = {}) => ({
  operationType,
  resourceType: 'CUSTOM',
  resourcePath: `webhooks/${id}`,
  ...more,
});

/** The audit record of an action on a webhook that does not change it. */
export const actionOn = (id: string, representation?: object) => audit('ACTION', id, { representation });

/** The key that changes of webhooks touch. */
export const touched = (_result: unknown, { realm }: Target): string[] => [touchesWebhooks(realm.id)];

export const listWebhooks = list({
  name: 'webhook.list',
  summary: 'Returns the webhooks of a realm.',
  allow: 'view:events',
  model: 'Webhook',
  where: ({ realm }: Target): Prisma.WebhookWhereInput => ({ realmId: realm.id }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

export const create = write({
  name: 'webhook.create',
  summary: 'Creates a webhook that receives events of a realm from now on. Only this operation returns its secret.',
  input: WebhookRepresentation,
  allow: 'manage:events',
  queue: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  prepare: ({ services }) => eventHorizon(services.database),
  run: async (tx, { realm }, input, { ctx, prepared: position }) => {
    const { config, newId, now, sealer } = ctx.services;
    const data = merged(input, undefined, webhookPlaces(config));
    if ((await tx.webhook.count({ where: { realmId: realm.id } })) >= mostOfRealm) {
      throw invalid(`A realm must have at most ${mostOfRealm} webhooks`, undefined, { code: 'LIMIT_REACHED' });
    }
    const secret = newSecret();
    const row = { id: newId(), realmId: realm.id, ...data };
    await tx.webhook.createMany({
      data: { ...row, position, secret: sealer.seal(secret, secretPlace(row)), createdAt: BigInt(now()) },
    });
    return { ...row, secret };
  },
  refuses: ['LIMIT_REACHED'],
  event: (row) => audit('CREATE', row.id, { representation: encodeWebhook(row) }),
  touches: touched,
});

/** The row that writers of a webhook queue for. */
export const lock = ({ webhook }: WebhookTarget) => ({ model: 'Webhook' as const, id: webhook.id });

/** The webhook, read behind the lock. */
export async function current(tx: Db, target: WebhookTarget): Promise<WebhookTarget> {
  const webhook = await tx.webhook.findUnique({ where: { id: target.webhook.id }, select: webhookSelect });
  return { ...target, webhook: found(webhook, 'Could not find webhook') };
}

export const update = write({
  name: 'webhook.update',
  summary:
    'Changes a webhook. A re-enabled webhook continues with the next undelivered event. A change of the host generates a new secret.',
  input: WebhookRepresentation,
  allow: 'manage:events',
  lock,
  refresh: current,
  run: async (tx, { webhook }: WebhookTarget, input, { ctx }) => {
    const { config, sealer } = ctx.services;
    const data = merged(input, webhook, webhookPlaces(config));
    // the receiver could forge signed messages
    const isElsewhere = new URL(data.url).origin !== new URL(webhook.url).origin;
    await tx.webhook.updateMany({
      where: { id: webhook.id },
      data: {
        ...data,
        version: { increment: 1 },
        ...(isElsewhere && {
          secret: sealer.seal(newSecret(), secretPlace(webhook)),
          previousSecret: null,
          previousSecretUntil: 0n,
        }),
        // enabling retries events that were given up or wait
        ...(data.enabled && { failures: 0, nextAttemptAt: 0n, disabledReason: null }),
      },
    });
    return { ...webhook, ...data };
  },
  event: (row, { webhook }) =>
    audit('UPDATE', row.id, { representation: encodeWebhook(row), before: encodeWebhook(webhook) }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ webhook }) => encodeWebhook(webhook),
  empty: { loginEventTypes: [], resourceTypes: [] },
  keepsRest: true,
});

export const remove = write({
  name: 'webhook.delete',
  summary: 'Deletes a webhook. Undelivered events are discarded.',
  allow: 'manage:events',
  lock,
  run: async (tx, { webhook }: WebhookTarget) => {
    await tx.webhook.deleteMany({ where: { id: webhook.id } });
    return { id: webhook.id };
  },
  event: ({ id }, { webhook }) => audit('DELETE', id, { before: encodeWebhook(webhook) }),
  touches: touched,
});

export const rotateSecret = write({
  name: 'webhook.rotateSecret',
  summary:
    'Generates a new secret for a webhook. Only this operation returns it. For 24 hours, messages are also signed with the previous one.',
  allow: 'manage:events',
  lock,
  run: async (tx, { webhook }: WebhookTarget, _input, { ctx }): Promise<WithSecret> => {
    const { now, sealer } = ctx.services;
    const secret = newSecret();
    await tx.webhook.updateMany({
      where: { id: webhook.id },
      data: {
        secret: sealer.seal(secret, secretPlace(webhook)),
        previousSecret: sealer.seal(
          sealer.open(webhook.secret, secretPlace(webhook)),
          secretPlace(webhook, 'previousSecret'),
        ),
        previousSecretUntil: BigInt(now() + rotationTime),
        version: { increment: 1 },
      },
    });
    return { id: webhook.id, secret };
  },
  event: ({ id }) => ({ ...actionOn(id), replaces: [['secret']] }),
  touches: touched,
});

/** A message of a ping, with its delivery if it was sent. */
interface Pinged {
  eventId: string;
  attempt: Attempt | undefined;
}

export const ping = write({
  name: 'webhook.ping',
  summary:
    'Sends one message of the type `ping` to a webhook immediately, without retries. Works for a disabled webhook too.',
  allow: 'manage:events',
  prepare: async ({ services, unit }, { webhook }: WebhookTarget, _input, asked) => {
    const message = { id: services.newId(), type: 'ping', time: BigInt(services.now()), data: { webhook: webhook.id } };
    const eventId = message.id;
    const unsent: Pinged = { eventId, attempt: undefined };
    const send = async (): Promise<Pinged> => ({ eventId, attempt: await tell(services, webhook, messageOf(message)) });
    // a dry run sends nothing
    if (unit?.dryRun || asked?.dryRun) return unsent;
    return outsideTransaction('ping', send, { assumed: () => unsent });
  },
  run: async (tx, { webhook }, _input, { ctx, prepared }): Promise<Attempted> => {
    const { newId } = ctx.services;
    const { eventId, attempt } = prepared;
    const delivery = { id: newId(), webhookId: webhook.id, eventId, eventType: 'ping' };
    if (attempt) await storeDelivery(tx, delivery, attempt);
    return { id: webhook.id, attempt };
  },
  event: ({ id }) => actionOn(id),
  touches: () => [],
});
