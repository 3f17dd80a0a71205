import { z } from 'zod';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Place, RowOfRealm } from '../core/sealed-columns.js';
import { flag, representation, text } from '../core/shape.js';
import { resourceTypes } from '../events/representation.js';
import { eventTypes } from '../events/types.js';

const fields = {
  name: text,
  url: text,
  enabled: flag,
  loginEvents: flag,
  loginEventTypes: z.array(z.enum(eventTypes)),
  adminEvents: flag,
  resourceTypes: z.array(z.enum(resourceTypes)),
};

/** The events of a webhook, and its URL. A kind of events without a list of types includes all types. */
export const WebhookRepresentation = representation('WebhookRepresentation', fields);

/** A webhook in the file of a realm. Without a secret it gets a new one. */
export const WebhookExportRepresentation = representation('WebhookExportRepresentation', {
  id: text,
  ...fields,
  secret: text,
});

export type WebhookInput = z.output<typeof WebhookRepresentation>;

/** All columns of a webhook. Its secrets are sealed; only signing and rotation read them. */
export const webhookSelect = {
  id: true,
  realmId: true,
  name: true,
  url: true,
  secret: true,
  previousSecret: true,
  previousSecretUntil: true,
  enabled: true,
  loginEventTypes: true,
  resourceTypes: true,
  position: true,
  positionTime: true,
  positionId: true,
  failures: true,
} as const satisfies Prisma.WebhookSelect;

/** The place of a webhook's secret. */
export const secretPlace = ({ id, realmId }: RowOfRealm, field: 'secret' | 'previousSecret' = 'secret'): Place => ({
  model: 'Webhook',
  id,
  owner: realmId,
  field,
});

export type WebhookRow = Prisma.WebhookGetPayload<{ select: typeof webhookSelect }>;

/** Types in their stored form: a list, empty for all, or false for none of the kind. */
export const storedTypes = (isWanted: boolean, types: readonly string[]): string[] | false =>
  isWanted && [...new Set(types)];

/** The wanted types; undefined for none of the kind. */
export const typesIn = (stored: unknown): string[] | undefined => (Array.isArray(stored) ? stored : undefined);

type Encoded = Pick<WebhookRow, 'id' | 'name' | 'url' | 'enabled' | 'loginEventTypes' | 'resourceTypes'>;

/** A webhook without its secret, for audit records. */
export const encodeWebhook = ({ id, name, url, enabled, loginEventTypes, resourceTypes: kinds }: Encoded) => ({
  id,
  name,
  url,
  enabled,
  loginEvents: loginEventTypes !== false,
  loginEventTypes: typesIn(loginEventTypes) ?? [],
  adminEvents: kinds !== false,
  resourceTypes: typesIn(kinds) ?? [],
});
