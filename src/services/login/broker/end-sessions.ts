import type { BrokerProvider } from '../../brokering/provider.js';
import type { Services } from '../../core/context.js';
import { members } from '../../core/json.js';
import type { RealmRecord } from '../../core/realm.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { storeLoginEvent } from '../../events/login-events.js';
import { concernedBy } from '../../sessions/notifications.js';
import { tellClients } from '../other-sessions.js';
import { accountHash } from './account-hash.js';

/** The process, and the request of a provider. */
export interface ProviderSite {
  services: Services;
  baseUrl: string;
  ipAddress: string;
}

/** The sessions that a provider ends. */
interface Ended {
  /** how the provider calls the account */
  subject: string;
  /** whether a session with these notes is meant */
  isMeant: (notes: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Ends the sessions of an account that began at an identity provider, at its request, and tells their clients. Returns the IDs of
 * the sessions.
 */
export async function endSessionsOf(
  { services, baseUrl, ipAddress }: ProviderSite,
  realm: RealmRecord,
  { alias }: Pick<BrokerProvider, 'alias'>,
  { subject, isMeant }: Ended,
): Promise<string[]> {
  const { read } = services.database;
  const sessions = await read.userSession.findMany({
    where: { account: accountHash(realm.id, alias, subject), realmId: realm.id, offline: false },
    select: { sid: true, userId: true, notes: true },
  });
  const ended = sessions.filter(({ notes }) => isMeant(members(notes)));
  if (ended.length === 0) return [];
  const users = [...new Set(ended.map(({ userId }) => userId))];
  const where = {
    sid: { in: ended.map((one) => one.sid) },
    userId: { in: users },
    offline: false,
    realmId: realm.id,
  };
  const concerned = await inUnitOfWork(services, async ({ tx, changed }) => {
    const parts = await concernedBy(tx, where);
    await tx.userSession.deleteMany({ where });
    const touches = [`sessions:${realm.id}`, ...users.map((userId) => `user:${userId}`)];
    await changed({ realmId: realm.id, operation: 'session.logout', touches });
    for (const { sid: sessionId, userId } of ended) {
      const details = { identity_provider: alias };
      await storeLoginEvent(tx, services, realm, { type: 'LOGOUT', userId, sessionId, ipAddress, details });
    }
    return parts;
  });
  await tellClients({ services, realm, browser: { baseUrl } }, concerned);
  return ended.map(({ sid }) => sid);
}
