import type { Db } from '../../../database/db.js';
import { holderOfEmail, nameTaken } from '../../users/names.js';
import { type Holders, holdersOf } from '../../users/store.js';
import { lookAlikes } from '../../users/usernames.js';
import type { RealmRows } from '../assemble/draft.js';
import type { BrokenRule } from './broken-rule.js';
import { type Delta, rowsWritten } from './delta.js';

type UserRow = RealmRows['User'][number];

const columns = ['username', 'email', 'uniqueEmail'];

/** The holders of names after a change: from the desired users of the plan, and the current state of all others. */
function heldAfter(stored: Holders, after: RealmRows, delta: Delta): Holders {
  const known = new Set([...after.User, ...(delta.get('User')?.deleted ?? [])].map(({ id }) => id));
  const others = (names: Holders['username']) => [...names].filter(([, id]) => !known.has(id));
  const own = after.User.map(({ username, id }) => [username, id] as const);
  // addresses within the plan are compared when its rows are assembled
  return { username: new Map([...others(stored.username), ...own]), email: new Map(others(stored.email)) };
}

/**
 * Refusals of usernames that look like names of other users, and of email addresses with which other users log in.
 * Operations on users have the same rules. One statement.
 */
export async function takenNames(
  db: Db,
  realmId: string,
  { after, delta }: { after: RealmRows; delta: Delta },
): Promise<BrokenRule[]> {
  const written = rowsWritten(delta, 'User', columns) as unknown as UserRow[];
  if (written.length === 0) return [];
  const usernames = written.map(({ username }) => username);
  const emails = written.flatMap(({ uniqueEmail }) => uniqueEmail ?? []);
  const held = heldAfter(await holdersOf(db, realmId, usernames, emails), after, delta);
  return written.flatMap((user) => {
    const { id, username, uniqueEmail } = user;
    const isTaken = (holder: string | undefined) => holder !== undefined && holder !== id;
    // names of service accounts are derived from clients, whose names may look alike
    const alike = user.serviceAccountClientId ? [] : lookAlikes(username);
    const sameNames = [username, ...alike].map((name) => held.username.get(name));
    const sameEmail = uniqueEmail ? [holderOfEmail(held, uniqueEmail)] : [];
    const refused = [
      ...(sameNames.some(isTaken) ? [nameTaken('username')] : []),
      ...(sameEmail.some(isTaken) ? [nameTaken('email')] : []),
    ];
    const rule = { model: 'User', row: user as never, columns, breaks: async () => false, isShared: true } as const;
    return refused.map((refusal) => ({ ...rule, refusal }));
  });
}
