import { databaseFault } from '../../database/errors.js';
import { Refusal } from '../core/refusal.js';
import { inUnitOfWork, type UnitOfWork } from '../core/unit-of-work.js';
import { storeLoginEvent } from '../events/login-events.js';
import { createUsers } from '../users/create.js';
import type { PreparedCredentials } from '../users/passwords.js';
import { registerUsers, releaseUsers } from '../users/register.js';
import type { UserInput } from '../users/representation.js';
import { type Attempt, asUser, eventDetails } from './attempt.js';

/** A user who signs up. */
interface NewcomerInput {
  input: UserInput;
  prepared: PreparedCredentials;
  /** password as it was typed, for a directory */
  typed?: string | undefined;
  /** details of the event */
  details: Record<string, string>;
}

/**
 * Creates a user who signs up, here or in the directory that takes new users, with the event. Returns the ID, or why there is no
 * user. `also` runs in the same transaction.
 */
export async function createNewcomer(
  attempt: Attempt,
  { input, prepared, typed, details }: NewcomerInput,
  also?: (unit: UnitOfWork, user: { id: string; username: string }) => Promise<void>,
): Promise<string | Refusal> {
  const { services, realm, client, browser } = attempt;
  const username = input.username || input.email || '';
  const ctx = asUser(attempt, { id: services.newId(), username });
  const users = await registerUsers(ctx, realm, [{ input, prepared }], undefined, () => typed);
  const made = await inUnitOfWork(services, async (unit) => {
    const { tx, changed } = unit;
    const [outcome] = await createUsers(tx, ctx, realm, users);
    if (outcome === undefined) return new Refusal('conflict', 'User exists with same username');
    if (outcome instanceof Refusal) return outcome;
    await also?.(unit, { id: outcome.id, username });
    const touches = [`users:${realm.id}`, `user:${outcome.id}`];
    await changed({ realmId: realm.id, operation: 'user.register', touches });
    const who = { clientId: client.clientId, userId: outcome.id, ipAddress: browser.ipAddress };
    await storeLoginEvent(tx, services, realm, {
      type: 'REGISTER',
      ...who,
      details: { ...eventDetails(attempt), ...details },
    });
    return outcome.id;
  }).catch((error: unknown) => {
    // another request took the name in this moment
    if (databaseFault(error)?.kind === 'duplicate') return new Refusal('conflict', 'User exists with same username');
    throw error;
  });
  await releaseUsers(users);
  return made;
}
