import type { Db } from '../../../database/db.js';
import { eventHorizon } from '../../../database/event-positions.js';
import { takenIds } from '../../../database/taken-ids.js';
import type { Pause } from '../../../database/turns.js';
import type { Context } from '../../core/context.js';
import { idsIn } from '../../core/own-id.js';
import type { RealmRecord } from '../../core/realm.js';
import type { Refusals } from '../../core/refusal.js';
import { credentialDataOf, type HashedPassword } from '../../credentials/hashing.js';
import { webhookPlaces } from '../../webhooks/stored.js';
import { plainPasswords } from '../assemble/credentials.js';
import type { RealmRows } from '../assemble/draft.js';
import { newClientSecret } from '../assemble/realm.js';
import type { RealmInput } from '../representation.js';
import { type KnownRows, readKnownRows, withKnownIds } from './align.js';
import { assembleWhole, type KnownUser, type Surroundings } from './assemble.js';
import { namedUsers } from './current.js';
import { type Json, listOf } from './kinds.js';
import type { PasswordHashes } from './plain-passwords.js';

/**
 * Stands for the hash of a password in a plan. A plan shows the same for any hash, so its digest equals the digest of
 * the apply.
 */
const planned: HashedPassword = { credentialData: credentialDataOf(), secretData: '{}' };

interface Assembled {
  given: Json;
  current: Json;
  /** users without assembled rows */
  unchanged?: readonly Json[];
  hashes?: PasswordHashes;
  pause: Pause;
}

/**
 * Returns a function that makes rows of a realm, in its current or desired state; both have the same IDs. Faults of the
 * realm are thrown, or added to `refusals`. The realm consists of decoded parts and of exported ones, so it need not be
 * decoded.
 */
export async function assembling(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  { given, current, unchanged = [], hashes, pause }: Assembled,
): Promise<(whole: Json, refusals?: Refusals) => Promise<RealmRows>> {
  const around = await surroundingsOf(ctx, db, realm, { given, current, pause });
  const users = [...around.users, ...knownUsers(realm, unchanged)];
  const knownIds = await knownRows(db, realm, current);
  return async (whole, refusals) => {
    const input = whole as RealmInput;
    const passwords = new Map(
      plainPasswords(input).map(({ credential, value }) => [credential, hashes?.get(value) ?? planned]),
    );
    const given = { ...around, users, passwords, ...(refusals && { refusals }) };
    return withKnownIds(await assembleWhole(input, given), knownIds);
  };
}

/**
 * The clients that have lost their service accounts. They get new ones only when their service accounts are enabled
 * again.
 */
function clientsWithoutAccount(current: Json): Set<unknown> {
  const served = new Set(listOf(current, 'users').map((user) => user.serviceAccountClientId));
  const lost = listOf(current, 'clients').filter(
    (client) => client.serviceAccountsEnabled === true && !served.has(client.clientId),
  );
  return new Set(lost.map(({ id }) => id));
}

async function knownRows(db: Db, { id }: RealmRecord, current: Json): Promise<KnownRows> {
  const users = Array.isArray(current.users) ? (current.users as Json[]) : [];
  const accounts = new Map(users.map(({ username, id: own }) => [String(username), String(own)]));
  return { ...(await readKnownRows(db, id)), accounts };
}

/** Users that policies can name although their rows are not assembled. */
const knownUsers = (realm: RealmRecord, users: readonly Json[]): KnownUser[] =>
  users.map(({ id, username }) => ({ id: String(id), realmId: realm.id, username: String(username) }));

async function surroundingsOf(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  { given, current, pause }: Pick<Assembled, 'given' | 'current' | 'pause'>,
): Promise<Surroundings> {
  const { services } = ctx;
  await pause();
  const asked = idsIn(given);
  await pause();
  const own = new Set(asked.length === 0 ? [] : idsIn(current));
  const taken = await takenIds(
    db,
    asked.filter((id) => !own.has(id)),
  );
  await pause();
  const hasWebhooks = Array.isArray(given.webhooks) || Array.isArray(current.webhooks);
  return {
    realm,
    users: await namedUsers(db, realm.id),
    newId: services.newId,
    newSecret: newClientSecret,
    now: services.now(),
    taken,
    withoutAccount: clientsWithoutAccount(current),
    takesKeys: true,
    pause,
    ...(hasWebhooks && {
      webhooks: { position: await eventHorizon(services.database), places: webhookPlaces(services.config) },
    }),
  };
}
