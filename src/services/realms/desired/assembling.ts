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

/** Stands for the hash of a password in a plan. What plans show of a hash is the same as in an apply, whose digest has it. */
const planned: HashedPassword = { credentialData: credentialDataOf(), secretData: '{}' };

interface Assembled {
  given: Json;
  current: Json;
  /** users who are not put together */
  unchanged?: readonly Json[];
  hashes?: PasswordHashes;
  pause: Pause;
}

/**
 * What makes rows of a realm, as it is or as it is to be; both have the same ids. What is wrong with the realm is thrown, or added to `refusals`. A realm that is put together of what has been decoded
 * and of what this version exports has nothing left to decode.
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

/** The clients that have lost the users whom they act as: a realm has no others until their service accounts are switched on again. */
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

/** Users whom policies can name, although they are not put together. */
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
