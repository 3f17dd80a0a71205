import { members } from '../core/json.js';
import { int, representation } from '../core/shape.js';
import type { Account } from './account.js';
import { ownRead } from './operation.js';

/** Maximum events of one answer. */
const mostEvents = 200;

/** An event of an account. `time` is in milliseconds since 1970. */
export interface Activity {
  id: string;
  time: number;
  type: string;
  clientId?: string;
  ipAddress?: string;
  error?: string;
  identityProvider?: string;
}

const ActivityFilter = representation('AccountActivityFilter', { max: int });

export const listActivity = ownRead({
  name: 'account.activity',
  summary: `Returns the login events of the caller, the newest first, at most ${mostEvents}. Empty if the realm stores none.`,
  roles: ['manage-account', 'view-profile'],
  input: ActivityFilter,
  run: async ({ db }, { realm, user }: Account, { max = mostEvents }): Promise<Activity[]> => {
    const rows = await db.loginEvent.findMany({
      where: { userId: user.id, realmId: realm.id },
      select: { id: true, time: true, type: true, clientId: true, ipAddress: true, error: true, details: true },
      orderBy: [{ time: 'desc' }, { id: 'desc' }],
      take: Math.min(Math.max(max, 0), mostEvents),
    });
    return rows.map(({ id, time, type, clientId, ipAddress, error, details }) => {
      const provider = members(details).identity_provider;
      return {
        id,
        time: Number(time),
        type,
        ...(clientId !== null && { clientId }),
        ...(ipAddress !== null && { ipAddress }),
        ...(error !== null && { error }),
        ...(typeof provider === 'string' && { identityProvider: provider }),
      };
    });
  },
});
