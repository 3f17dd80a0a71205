import { invalid } from '../../core/refusal.js';
import { secretPlace } from '../../webhooks/representation.js';
import { newSecret } from '../../webhooks/sign.js';
import { merged, mostOfRealm } from '../../webhooks/stored.js';
import { within } from '../partial-import/sort.js';
import type { Draft } from './draft.js';

/** Adds the webhooks of the file. They receive events from now on. */
export function assembleWebhooks({ input, context, realmId, rows, ids, refusals }: Draft): void {
  const { webhooks = [] } = input;
  if (webhooks.length > mostOfRealm) {
    refusals.add(invalid(`A realm must have at most ${mostOfRealm} webhooks`, 'webhooks'));
    return;
  }
  webhooks.forEach((webhook, index) => {
    const row = { id: ids.of('Webhook', webhook.id), realmId };
    const columns = refusals.attempt(() =>
      within(`webhooks.${index}`, () => merged(webhook, undefined, context.webhooks?.places)),
    );
    if (!columns) return;
    rows.Webhook.push({
      ...row,
      ...columns,
      secret: context.seal(webhook.secret || newSecret(), secretPlace(row)),
      position: context.webhooks?.position ?? 0n,
      createdAt: BigInt(context.now),
    });
  });
}
