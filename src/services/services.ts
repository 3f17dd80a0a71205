import { randomUUID } from 'node:crypto';
import { createOutages } from '../telemetry/outages.js';
import type { Services } from './core/context.js';
import { createFeed } from './core/feed.js';
import { fetchPublic } from './core/fetch-public.js';
import { createRightsCache } from './core/permit.js';
import { createSealer, sealingKeys } from './core/seal.js';
import { createKeyring } from './keys/keyring.js';
import { accessRules } from './permissions/entitled.js';
import { createRealmCache } from './realms/cache.js';
import type { SealedForm } from './secrets-key/check.js';
import { createTouches } from './sessions/touch.js';
import { rememberReads } from './user-storage/read/reads.js';

type Given = Pick<Services, 'config' | 'database' | 'log' | 'now' | 'stopping'>;

/**
 * Creates the services of a process, on a database whose secrets are sealed in this form. It starts no background work.
 */
export function createServices(
  { config, database, log, now, stopping }: Given,
  { opensUnbound }: SealedForm,
): Services {
  const feed = createFeed((error) => log.error({ err: error }, 'a listener of the change feed failed'));
  const sealer = createSealer(sealingKeys(config), {
    opensUnbound,
    onRefused: ({ model, field, id }, reason) =>
      log.error({ model, field, id, reason }, 'a stored secret cannot be used'),
  });
  const keyring = createKeyring({
    database,
    sealer,
    now,
    onUnusable: (component, reason) => log.warn({ component, reason }, 'a key provider cannot be used'),
  });
  return {
    config,
    database,
    sealer,
    log,
    feed,
    rights: createRightsCache(feed, now),
    access: accessRules,
    keyring,
    sessions: createTouches({ database, log }),
    peopleRead: rememberReads(feed, now),
    realms: createRealmCache(feed, now),
    fetchPublic: fetchPublic({ privateAddresses: config.fetchPrivateAddresses, allowed: config.fetchAllowedNetworks }),
    stopping,
    webhookOutages: createOutages(log, {
      failed: 'a webhook cannot be reached: its events are delivered later',
      continues: 'a webhook still cannot be reached',
      recovered: 'a webhook can be reached again',
    }),
    mailOutages: createOutages(log, {
      failed: 'emails of a realm cannot be sent',
      continues: 'emails of a realm still cannot be sent',
      recovered: 'emails of a realm can be sent again',
    }),
    now,
    newId: randomUUID,
  };
}
