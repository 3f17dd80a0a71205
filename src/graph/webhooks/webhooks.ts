import type { Context } from '../../services/core/context.js';
import { type WebhookTarget, webhookById } from '../../services/webhooks/locate.js';
import * as webhooks from '../../services/webhooks/operations.js';
import { typesIn } from '../../services/webhooks/representation.js';
import { builder } from '../core/builder.js';
import { asListed, connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId } from '../core/node.js';
import { AdminResourceType } from '../events/admin-event-list.js';
import { LoginEventType } from '../events/login-events.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const dateOf = (time: bigint): Date => new Date(Number(time));

const Webhook = builder.prismaNode('Webhook', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description:
    'An address that is told of events of a realm, by signed messages (Standard Webhooks), each at least once.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is called.' }),
    url: t.exposeString('url', { description: 'Where messages are sent, by POST.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it is told.' }),
    loginEventTypes: t.field({
      type: [LoginEventType],
      nullable: true,
      description: 'The login events that it is told of; empty for all, null for none.',
      select: { loginEventTypes: true },
      resolve: ({ loginEventTypes }) => (typesIn(loginEventTypes) ?? null) as never,
    }),
    resourceTypes: t.field({
      type: [AdminResourceType],
      nullable: true,
      description: 'The kinds of resources whose admin events it is told of; empty for all, null for none.',
      select: { resourceTypes: true },
      resolve: ({ resourceTypes }) => (typesIn(resourceTypes) ?? null) as never,
    }),
    failures: t.exposeInt('failures', { description: 'How many attempts in a row have failed.' }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried again; null when the last attempt did not fail.',
      select: { nextAttemptAt: true },
      resolve: ({ nextAttemptAt }) => (nextAttemptAt > 0n ? dateOf(nextAttemptAt) : null),
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the service has disabled it; null where it has not.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      select: { createdAt: true },
      resolve: ({ createdAt }) => dateOf(createdAt),
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
  }),
});

guardNode('Webhook', 'Webhook', 'view:events');

const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: 'One attempt to tell a webhook of an event.',
  select: { id: true },
  fields: (t) => ({
    id: t.id({ description: 'Id of the attempt.', resolve: ({ id }) => nodeId('WebhookDelivery', id) }),
    eventId: t.exposeString('eventId', { description: 'The webhook-id of the message, the same with each attempt.' }),
    eventType: t.exposeString('eventType', { description: 'The type of the message, such as admin.role.create.' }),
    succeeded: t.exposeBoolean('succeeded', { description: 'Whether it has arrived.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'Status of the answer; null where there was none.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why it has not arrived; null where it has.' }),
    duration: t.exposeInt('duration', { description: 'How long it took, in milliseconds.' }),
    at: t.field({
      type: 'DateTime',
      description: 'When it was.',
      select: { at: true },
      resolve: ({ at }) => dateOf(at),
    }),
  }),
});

const ofRealm = related({
  parent: 'realm',
  relation: 'webhooks',
  ...asListed(webhooks.listWebhooks),
});

builder.prismaObjectField(Realm, 'webhooks', (t) =>
  t.field({
    type: connectionType('Webhook', Webhook),
    nullable: true,
    description: 'The webhooks, by name. Takes one of view-events, manage-events.',
    args: pageArgs,
    ...(ofRealm as object),
  } as never),
);

const ofWebhook = related({
  parent: 'webhook',
  relation: 'deliveries',
  order: [
    { path: 'at', descending: true },
    { path: 'id', descending: true },
  ],
  permission: 'view:events',
});

builder.prismaObjectField(Webhook, 'deliveries', (t) =>
  t.field({
    type: connectionType('WebhookDelivery', WebhookDelivery),
    description: 'The last attempts, the newest first.',
    args: pageArgs,
    ...(ofWebhook as object),
  } as never),
);

async function webhookTarget(ctx: Context, id: string): Promise<WebhookTarget> {
  const found = await locatedNode(ctx, id, 'id', 'Webhook');
  return webhookById(ctx, found.realm, found.id);
}

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const wanted = (t: InputBuilder) => ({
  enabled: t.boolean({ description: 'Whether it is told.' }),
  loginEvents: t.boolean({ description: 'Whether it is told of login events.' }),
  loginEventTypes: t.field({ type: [LoginEventType], description: 'Of which ones; empty for all.' }),
  adminEvents: t.boolean({ description: 'Whether it is told of admin events.' }),
  resourceTypes: t.field({ type: [AdminResourceType], description: 'Of which kinds of resources; empty for all.' }),
});
const oneId = (t: InputBuilder) => ({ id: t.id({ required: true, description: 'Id of the webhook.' }) });

const theWebhook = {
  webhook: {
    type: Webhook,
    model: 'webhook',
    description: 'The webhook as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};
const theSecret = {
  secret: {
    type: 'String',
    description: 'What its messages are signed with. It is shown only here.',
    of: ({ secret }: webhooks.WithSecret) => secret,
  },
};

mutation('webhookCreate', {
  description: 'Has an address told of the events of a realm from now on.',
  operation: webhooks.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    name: t.string({ required: true, description: 'What it is called.' }),
    url: t.string({ required: true, description: 'An http or https address.' }),
    ...wanted(t),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ realm: _, ...input }) => sent(input),
  returns: theWebhook,
  values: theSecret,
});

mutation('webhookUpdate', {
  description:
    'Changes a webhook. What is left out stays; one that is enabled again goes on where it was. With another host it has a new secret.',
  operation: webhooks.patch,
  input: (t) => ({
    ...oneId(t),
    name: t.string({ description: 'New name.' }),
    url: t.string({ description: 'New address.' }),
    ...wanted(t),
  }),
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  send: ({ id: _, ...input }) => sent(input),
  returns: theWebhook,
});

/** The input without what belongs to every mutation. */
function sent<I extends object>(input: I): object {
  const { idempotencyKey: _, expectedVersion: __, ...own } = input as Record<string, unknown>;
  return own;
}

mutation('webhookDelete', {
  description: 'Deletes a webhook; what it was not told of yet it is not told.',
  operation: webhooks.remove,
  input: oneId,
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'Id of the webhook that is gone.', of: ({ id }) => nodeId('Webhook', id) },
  },
});

mutation('webhookRotateSecret', {
  description: 'Gives a webhook a new secret. For a day, messages are signed with the one before as well.',
  operation: webhooks.rotateSecret,
  input: oneId,
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  returns: theWebhook,
  values: theSecret,
});

mutation('webhookPing', {
  description: 'Sends a message of the type ping, once and at once, even to a webhook that is disabled.',
  operation: webhooks.ping,
  input: oneId,
  locate: ({ id }, ctx) => webhookTarget(ctx, id),
  returns: theWebhook,
  values: {
    succeeded: { type: 'Boolean', description: 'Whether it has arrived.', of: ({ attempt }) => attempt?.succeeded },
    responseStatus: { type: 'Int', description: 'Status of the answer.', of: ({ attempt }) => attempt?.status },
    error: { type: 'String', description: 'Why it has not arrived.', of: ({ attempt }) => attempt?.error },
  },
});
