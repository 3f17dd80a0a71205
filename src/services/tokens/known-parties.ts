import type { ChangeFeed } from '../core/feed.js';
import type { TokenClient, TokenRealm } from './parties.js';

/** A realm, and the client that was asked for if it is there. */
export interface Parties {
  realm: TokenRealm;
  client: TokenClient | undefined;
}

/** Realms and clients as the token side needs them, for as long as nothing changes in the realm: a second at most. */
export interface KnownParties {
  /** What is known, or what `find` finds. */
  get(realmName: string, clientId: string, find: () => Promise<Parties>): Promise<Parties>;
}

const lifetime = 1000;
const most = 5000;

/** Every write in a realm has its clients read anew; what other processes write counts when it is heard of. */
export function rememberParties(feed: Pick<ChangeFeed, 'subscribe'>, now: () => number): KnownParties {
  const known = new Map<string, { parties: Parties; until: number }>();
  let changes = 0;
  feed.subscribe(({ realmId }) => {
    changes += 1;
    for (const [key, { parties }] of known) if (parties.realm.id === realmId) known.delete(key);
  });
  return {
    async get(realmName, clientId, find) {
      const key = `${realmName}\n${clientId}`;
      const entry = known.get(key);
      if (entry && entry.until > now()) return entry.parties;
      const before = changes;
      const parties = await find();
      // what was read while something changed may be what was there before
      if (before === changes) {
        if (known.size >= most) known.clear();
        known.set(key, { parties, until: now() + lifetime });
      }
      return parties;
    },
  };
}
