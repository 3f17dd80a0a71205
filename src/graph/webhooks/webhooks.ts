import type { Context } from '../../services/core/context.js';
import { type DeliveryTarget, deliveryById, type WebhookTarget, webhookById } from '../../services/webhooks/locate.js';
import * as webhooks from '../../services/webhooks/operations.js';
import { replay, replayDelivery } from '../../services/webhooks/replay.js';
import { typesIn } from '../../services/webhooks/representation.js';
import { builder } from '../core/builder.js';
import { nameFields } from '../core/change-names.js';
import { connectionType } from '../core/connection.js';
import { listType, onText, onTime, whether } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { fieldNamed } from '../core/wire-names.js';
import { AdminResourceType } from '../events/admin-events.js';
import { LoginEventType } from '../events/login-events.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const dateOf = (time: bigint): Date => new Date(Number(time));

export const Webhook = builder.prismaNode('Webhook', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description:
    'A webhook: a URL to which events of a realm are sent as signed messages (Standard Webhooks), at least once each.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the webhook.' }),
    url: t.exposeString('url', { description: 'URL to which messages are sent by POST.' }),
    isEnabled: t.exposeBoolean('enabled', { description: 'Whether the webhook is enabled.' }),
    loginEventTypes: t.field({
      type: [LoginEventType],
      nullable: true,
      description: 'Types of login events that are sent. Empty: all. Null: none.',
      select: { loginEventTypes: true },
      resolve: ({ loginEventTypes }) => typesIn(loginEventTypes) ?? null,
    }),
    resourceTypes: t.field({
      type: [AdminResourceType],
      nullable: true,
      description: 'Kinds of resources whose admin events are sent. Empty: all. Null: none.',
      select: { resourceTypes: true },
      resolve: ({ resourceTypes }) => typesIn(resourceTypes) ?? null,
    }),
    failures: t.exposeInt('failures', { description: 'Number of consecutive failed attempts.' }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next attempt. Null if the last attempt succeeded.',
      select: { nextAttemptAt: true },
      resolve: ({ nextAttemptAt }) => (nextAttemptAt > 0n ? dateOf(nextAttemptAt) : null),
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Reason why the server disabled the webhook. Null if it did not.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time at which the webhook was created.',
      select: { createdAt: true },
      resolve: ({ createdAt }) => dateOf(createdAt),
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
  }),
});

guardNode(Webhook, webhooks.listWebhooks);

const WebhookDelivery = builder.prismaNode('WebhookDelivery', {
  id: { field: 'id' },
  description: 'An attempt to deliver an event to a webhook.',
  select: { id: true },
  fields: (t) => ({
    eventId: t.exposeString('eventId', {
      description: 'ID of the message (header `webhook-id`), the same for all attempts.',
    }),
    eventType: t.exposeString('eventType', { description: 'Type of the message, e.g. `admin.role.create`.' }),
    hasSucceeded: t.exposeBoolean('succeeded', { description: 'Whether the attempt succeeded.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'HTTP status of the response. Null if there was no response.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Reason of the failure. Null if the attempt succeeded.',
    }),
    duration: t.exposeInt('duration', { description: 'Duration of the attempt in milliseconds.' }),
    at: t.field({
      type: 'DateTime',
      description: 'Time of the attempt.',
      select: { at: true },
      resolve: ({ at }) => dateOf(at),
    }),
  }),
});

guardNode(WebhookDelivery, webhooks.listWebhooks, { realmPath: ['webhook'] });

relatedField(Realm, 'webhooks', {
  relation: 'webhooks',
  listing: webhooks.listWebhooks,
  connection: connectionType('Webhook', Webhook),
  list: listType({
    name: 'Webhook',
    plural: 'webhooks',
    conditions: {
      name: onText('name', 'Condition on the name.'),
      isEnabled: whether('Matches webhooks that are (true) or are not (false) enabled.', (enabled) => ({ enabled })),
    },
    orders: { NAME: { path: 'name', description: 'Order by name.' } },
  }),
  description: 'Webhooks of the realm, ordered by name.',
});

relatedField(Webhook, 'deliveries', {
  relation: 'deliveries',
  requires: webhooks.listWebhooks,
  connection: connectionType('WebhookDelivery', WebhookDelivery),
  list: listType({
    name: 'WebhookDelivery',
    plural: 'delivery attempts',
    conditions: { at: onTime('at', 'Condition on the time of the attempt.') },
    orders: { AT: { path: 'at', description: 'Order by the time of the attempt.' } },
  }),
  description: 'Recent delivery attempts, newest first.',
  order: [
    { path: 'at', descending: true },
    { path: 'id', descending: true },
  ],
});

async function webhookTarget(ctx: Context, id: string): Promise<WebhookTarget> {
  const found = await locatedNode(ctx, id, 'id', 'Webhook');
  return webhookById(ctx, found.realm, found.id);
}

async function deliveryTarget(ctx: Context, id: string): Promise<DeliveryTarget> {
  const found = await locatedNode(ctx, id, 'id', 'WebhookDelivery');
  return deliveryById(ctx, found.realm, found.id);
}

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const wanted = (t: InputBuilder) => ({
  isEnabled: t.boolean({ description: 'Whether the webhook is enabled.' }),
  includesLoginEvents: t.boolean({ description: 'Whether login events are sent.' }),
  loginEventTypes: t.field({ type: [LoginEventType], description: 'Types of login events to send. Empty: all.' }),
  includesAdminEvents: t.boolean({ description: 'Whether admin events are sent.' }),
  resourceTypes: t.field({
    type: [AdminResourceType],
    description: 'Kinds of resources whose admin events are sent. Empty: all.',
  }),
});
const oneId = (t: InputBuilder) => ({ id: t.id({ required: true, description: 'ID of the webhook.' }) });

const theWebhook = {
  webhook: {
    type: Webhook,
    model: 'webhook',
    description: 'The webhook after the change.',
    id: ({ id }: { id: string }) => id,
  },
};
const theSecret = {
  secret: {
    type: 'String',
    description: 'Secret that signs the messages. It is not returned again. Null in a dry run.',
    isSecret: true as const,
    of: ({ secret }: webhooks.WithSecret) => secret,
  },
};

const fieldOf = fieldNamed({
  enabled: 'isEnabled',
  loginEvents: 'includesLoginEvents',
  adminEvents: 'includesAdminEvents',
});

nameFields('Webhook', fieldOf);

mutation('webhookCreate', {
  description: 'Creates a webhook that receives the events of a realm from now on.',
  operation: webhooks.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    name: t.string({ required: true, description: 'Name of the webhook.' }),
    url: t.string({ required: true, description: 'URL of the webhook, with the scheme http or https.' }),
    ...wanted(t),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ realm: _, ...input }) => sent(input),
  fieldOf,
  returns: theWebhook,
  values: theSecret,
});

mutation('webhookUpdate', {
  description:
    'Changes a webhook. Omitted fields keep their values. A re-enabled webhook continues with the next undelivered event. A change of the host generates a new secret.',
  operation: webhooks.patch,
  input: (t) => ({
    ...oneId(t),
    name: t.string({ description: 'New name of the webhook.' }),
    url: t.string({ description: 'New URL of the webhook.' }),
    ...wanted(t),
  }),
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  send: ({ id: _, ...input }) => sent(input),
  fieldOf,
  returns: theWebhook,
});

/** The input in the form of the contract, without the fields of every mutation. */
function sent<I extends object>(input: I): object {
  const { idempotencyKey: _, expectedVersion: __, ...own } = input as Record<string, unknown>;
  const { isEnabled, includesLoginEvents, includesAdminEvents, ...plain } = own;
  return { ...plain, enabled: isEnabled, loginEvents: includesLoginEvents, adminEvents: includesAdminEvents };
}

mutation('webhookDelete', {
  description: 'Deletes a webhook. Undelivered events are discarded.',
  operation: webhooks.remove,
  input: oneId,
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted webhook.', of: ({ id }) => nodeId('Webhook', id) },
  },
});

mutation('webhookRotateSecret', {
  description: 'Generates a new secret for a webhook. For 24 hours, messages are also signed with the previous one.',
  operation: webhooks.rotateSecret,
  input: oneId,
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  returns: theWebhook,
  values: theSecret,
});

const theAttempt = {
  hasSucceeded: {
    type: 'Boolean',
    description: 'Whether the message was delivered. Null in a dry run, which sends nothing.',
    of: ({ attempt }: webhooks.Attempted) => attempt?.succeeded,
  },
  responseStatus: {
    type: 'Int',
    description: 'HTTP status of the response. Null if there was no response.',
    of: ({ attempt }: webhooks.Attempted) => attempt?.status,
  },
  error: {
    type: 'String',
    description: 'Reason of the failure. Null if the message was delivered.',
    of: ({ attempt }: webhooks.Attempted) => attempt?.error,
  },
};

mutation('webhookPing', {
  description: 'Sends one message of the type `ping` immediately, without retries. Works for a disabled webhook too.',
  operation: webhooks.ping,
  input: oneId,
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  returns: theWebhook,
  values: theAttempt,
});

mutation('webhookDeliveryReplay', {
  description:
    'Sends the event of a delivery attempt again, immediately and without retries. Works for a disabled webhook too. The message has the `webhook-id` of the first attempt.',
  operation: replayDelivery,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the delivery attempt.' }) }),
  locate: ({ id }, ctx) => deliveryTarget(ctx, id),
  returns: theWebhook,
  values: theAttempt,
});

mutation('webhookReplay', {
  description:
    'Sends the stored events since a time again, in their order, whether they were delivered or not. A disabled webhook receives them when it is enabled.',
  operation: replay,
  input: (t) => ({
    ...oneId(t),
    since: t.field({
      type: 'DateTime',
      required: true,
      description: 'Time of the first event to send again. At most 10,000 events are sent again at once.',
    }),
  }),
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  send: ({ since }) => ({ since: since.getTime() }),
  returns: theWebhook,
  values: {
    events: {
      type: 'Int',
      description: 'Number of events since that time, including those that were not delivered yet.',
      of: ({ events }) => events,
    },
  },
});
