import type { Db, ModelName } from '../../../database/db.js';
import { eventHorizon } from '../../../database/event-positions.js';
import { takenIds } from '../../../database/taken-ids.js';
import { breaksIn, inTurns, type Pause } from '../../../database/turns.js';
import { requireNoCircles } from '../../authorization/circles.js';
import type { Context } from '../../core/context.js';
import { idsIn, withReplacedIds } from '../../core/own-id.js';
import type { RealmRecord } from '../../core/realm.js';
import { allFaults, type Fault, invalid, Refusals, refuseAll } from '../../core/refusal.js';
import { decodeKnown } from '../../core/shape.js';
import { credentialDataOf, type HashedPassword, hashPassword } from '../../credentials/hashing.js';
import { keyProviderType } from '../../keys/provider.js';
import { webhookPlaces } from '../../webhooks/stored.js';
import { plainPasswords } from '../assemble/credentials.js';
import type { RealmRows } from '../assemble/draft.js';
import { newClientSecret } from '../assemble/realm.js';
import { type RealmInput, RealmRepresentation } from '../representation.js';
import { requireAdministration } from './administration.js';
import { withAffectedUsers } from './affected-users.js';
import { type KnownRows, readKnownRows, withKnownIds } from './align.js';
import { assembleWhole, type KnownUser, type Surroundings } from './assemble.js';
import { administrationRolesOf, currentRealm, namedUsers, protectedIn, usersOf } from './current.js';
import { decodeFile } from './decode-file.js';
import { type Delta, type Row, withKeptRows } from './delta.js';
import { describeChanges, type PlannedChange } from './describe.js';
import { digestOf, digestWithUnknown } from './digest.js';
import { withPlacesOf } from './file-places.js';
import { refuseOtherDestinations } from './kept-secrets.js';
import { type Json, listOf, type Modes, modeOf } from './kinds.js';
import { ignoredBy, type LifecycleRule, refusedDeletions, rulesWithoutObjects, withoutFields } from './lifecycle.js';
import { requireSecrets } from './lost-secrets.js';
import { mergedRealm } from './merge.js';
import { type Names, newNames, realmIds } from './merge-list.js';
import { type NamedObject, objectName, wholes } from './objects.js';
import { placeOfPolicy } from './places.js';
import { withCurrentNames } from './references.js';
import { requireRules } from './rules.js';
import { withAddedNames } from './settings.js';
import { plannedChanges } from './targets.js';
import { withoutUnchangedUsers } from './unchanged-users.js';
import { shownText, type UnknownValue, withoutUnknowns, withShownUnknowns } from './unknown-values.js';
import { type Warnings, warningsOf, warningTexts } from './warnings.js';

interface PlanSummary {
  create: number;
  update: number;
  delete: number;
  unchanged: number;
}

/** What a file would change in a realm. */
export interface Plan {
  /** tells the plan from all others; the same where the same changes would be made */
  digest: string;
  summary: PlanSummary;
  changes: PlannedChange[];
  warnings: string[];
  /** of a plan for some objects only: number of other objects that would change; undefined for a whole plan */
  omitted?: number;
}

/** A plan with the rows that it writes. */
export interface WholePlan extends Plan {
  delta: Delta;
  /** the rows of the realm as they are to be */
  after: RealmRows;
  /** whether the plan says to which identity provider a user is linked; other links follow their providers */
  isDecided: (link: Row) => boolean;
}

/** The plan of a file. */
export interface FilePlan extends WholePlan {
  /** the rows of the realm as it is */
  before: RealmRows;
  given: Json;
  /** the objects of the realm that the file has, as `<model> <id>` */
  matched: ReadonlySet<string>;
  /** the users who are in no rows because they do not change */
  unchanged: readonly Json[];
}

/** The hashes of passwords that a file has in plain text. */
export type PasswordHashes = ReadonlyMap<string, HashedPassword>;

export interface Desired {
  /** a RealmRepresentation, or a part of one */
  file: Json;
  modes: Modes;
  formerNames: ReadonlyMap<string, string>;
  /** values of the file that the plan does not know */
  unknown?: readonly UnknownValue[];
  /** the objects that change, with those that they need. Default: all */
  targets?: readonly NamedObject[];
  /** what plans do not do with some objects */
  lifecycle?: readonly LifecycleRule[];
}

export interface PlanOptions {
  /** whether a secret in the file that differs from that of the realm is a change: who may ask can guess at secrets */
  comparesSecrets: boolean;
  /** whether users who gain or lose something are counted */
  countsUsers?: boolean;
  /** the hashes of the passwords in the file, for a plan that is carried out */
  hashes?: PasswordHashes;
}

/** Stands for the hash of a password in a plan. What plans show of a hash is the same as in an apply, whose digest has it. */
const planned: HashedPassword = { credentialData: credentialDataOf(), secretData: '{}' };

/** Whether a credential of a file may have its password in plain text. */
const mayBePlain = ({ value, rawPassword }: Json): boolean => value !== undefined || rawPassword !== undefined;

/** Passwords in plain text that a plan would set; their values tell them apart. */
export async function hashPasswordsOf(realm: RealmRecord, file: Json): Promise<PasswordHashes> {
  // most users of a file have their hashes: nothing else of them is looked at here
  const given = listOf(file, 'users').filter((user) => listOf(user, 'credentials').some(mayBePlain));
  const { users = [] } = decodeKnown(RealmRepresentation, { users: given }).input;
  const values = new Set(plainPasswords({ users }).map(({ value }) => value));
  const hashed = await Promise.all(
    [...values].map(async (value) => [value, await hashPassword(value, { line: `plan ${realm.id}` })] as const),
  );
  return new Map(hashed);
}

/** A realm compared with a file. */
interface Comparison {
  given: Json;
  names: Names;
  administration: Awaited<ReturnType<typeof administrationRolesOf>>;
  unchanged: readonly Json[];
  before: RealmRows;
  after: RealmRows;
  delta: Delta;
  /** number of objects that would change beside the targets */
  omitted: number | undefined;
  /** what is wrong with the file */
  refusals: Refusals;
  warnings: Warnings;
}

/**
 * Compares a realm with a file, and finds all that is wrong with the file. Throws `invalid` or `unknownField` for fields of other types than
 * the contract has.
 */
async function compared(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  { file, modes, formerNames, targets, lifecycle = [] }: Desired,
  { hashes, comparesSecrets, pause }: PlanOptions & { pause: Pause },
): Promise<Comparison> {
  await pause();
  const known = await decodeFile(file, pause);
  const ignored = ignoredBy(lifecycle);
  const ofRealm = ignored.get(objectName({ kind: 'REALM', key: realm.name })) ?? [];
  const given = withoutFields(known.input as Json, ofRealm);
  requireSameRealm(realm, given);
  const { services } = ctx;
  const current = await currentRealm(db, services.sealer, realm, usersOf(given, modeOf(modes, 'users'), formerNames));
  const names = newNames();
  const administration = await administrationRolesOf(db, realm);
  const isProtected = await protectedIn(db, realm, administration);
  const merging = { modes, names, formerNames, comparesSecrets, isProtected, ignored };
  await pause();
  const merged = await mergedRealm(current, given, merging, pause);
  await pause();
  const { refusals } = names;
  refusals.attempt(() => requireSecrets(given, names.lost));
  refuseOtherDestinations({ current, desired: merged, given }, names);
  const named = withAddedNames(withCurrentNames(merged, names, current), given, modes);
  const desired = withReplacedIds(named, realmIds(names));
  await pause();
  const { unchanged, ...states } = withoutUnchangedUsers(current, desired, names.changed.size === 0);
  const rowsOf = await assembling(ctx, db, realm, { given, current, unchanged, pause, ...(hashes && { hashes }) });
  const before = await rowsOf(states.before);
  const ofWhole = new Refusals();
  const whole = await rowsOf(states.after, ofWhole);
  for (const refusal of ofWhole.all) {
    await pause();
    refusals.add(withPlacesOf(given, states.after, refusal));
  }
  const wanted = await withKeptRows(before, whole, comparesSecrets, pause);
  const changes = await plannedChanges({ before, after: wanted }, targets, pause);
  const { after, delta, omitted } = changes;
  const clientOf = (id: string) => after.Client.find((client) => client.id === id) as Row | undefined;
  refusals.attempt(() =>
    requireNoCircles(after, (policy) => placeOfPolicy(given, clientOf(policy.resourceServerId), policy)),
  );
  await refusals.attemptLater(() => requireAdministration(ctx, db, realm, given, delta));
  await refusals.attemptLater(() => requireRules(db, realm, { given, desired: states.after, after, delta }));
  for (const refusal of [...changes.refusals, ...refusedDeletions(lifecycle, before, delta)]) refusals.add(refusal);
  const withoutObjects = await rulesWithoutObjects(lifecycle, [before, whole], pause);
  const warnings = warningsOf({ ignored: known.ignored, given, current, desired, after, withoutObjects });
  await pause();
  return { given, names, administration, unchanged, before, after, delta, omitted, refusals, warnings };
}

/**
 * What is wrong with a file, and what a realm cannot be as it says: by all rules of a plan for a realm that has only what new ones have. Throws
 * `invalid` or `unknownField` for fields of other types than the contract has.
 */
export async function checkedFile(
  ctx: Context,
  realm: RealmRecord,
  desired: Desired,
): Promise<Pick<Comparison, 'warnings'> & { faults: Fault[] }> {
  const pause = breaksIn(ctx.db);
  const { given, refusals, warnings } = await compared(ctx, ctx.db, realm, desired, { comparesSecrets: true, pause });
  return { faults: allFaults(withoutUnknowns(refusals.all, given)), warnings };
}

/**
 * Compares a realm with a file, and returns what would change. Reads with a number of statements that depends on the kinds of
 * objects alone. Others get their turn in between. Throws `invalid`, `conflict` or `unknownField` with all faults of the file and their places
 * in it.
 */
export async function planOf(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  desired: Desired,
  options: PlanOptions,
): Promise<FilePlan> {
  const pause = breaksIn(db);
  const comparison = await compared(ctx, db, realm, desired, { ...options, pause });
  const { given, names, administration, unchanged, before, after, delta, refusals } = comparison;
  refuseAll(withoutUnknowns(refusals.all, given));
  const described = await describeChanges({ before, after, delta, administration }, names, pause);
  const shown = await inTurns(described, withShownUnknowns, pause);
  const changes = options.countsUsers ? await withAffectedUsers(db, shown, delta) : shown;
  const users = new Set<unknown>(after.User.map(({ id }) => id));
  const rows = { delta, after, isDecided: ({ userId }: Row) => users.has(userId) };
  const warnings = warningTexts(comparison.warnings).map(shownText);
  await pause();
  const plan = wholePlan(changes, { ...rows, before }, warnings);
  plan.summary.unchanged += unchanged.length;
  if (desired.unknown?.length) plan.digest = digestWithUnknown(plan.digest, desired.unknown, before);
  const { omitted } = comparison;
  return { ...plan, given, matched: names.matched, unchanged, ...(omitted !== undefined && { omitted }) };
}

/** A plan of these changes. */
export const wholePlan = <R extends Pick<FilePlan, 'delta' | 'before' | 'after' | 'isDecided'>>(
  changes: PlannedChange[],
  rows: R,
  warnings: string[],
): R & WholePlan => ({
  ...rows,
  changes,
  summary: summaryOf(changes, rows.after),
  digest: digestOf(changes, rows),
  warnings,
});

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

/** A file is for the realm of its name. */
function requireSameRealm({ name }: RealmRecord, { realm }: Json): void {
  if (realm === undefined || realm === name) return;
  throw invalid(`The file describes the realm "${String(realm)}", not "${name}"`, 'realm');
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

function summaryOf(changes: readonly PlannedChange[], after: RealmRows): PlanSummary {
  const count = (action: PlannedChange['action']) => changes.filter((change) => change.action === action).length;
  const [create, update] = [count('CREATE'), count('UPDATE')];
  const models = Object.keys(wholes) as (ModelName & keyof RealmRows)[];
  const all = models.reduce((sum, model) => sum + after[model].length, 0);
  return { create, update, delete: count('DELETE'), unchanged: all - create - update };
}

/**
 * Makes the keys of a realm that has none yet before a plan is made, which is otherwise done when one is needed first: with a key, its digest
 * would change. A transaction that others wait for makes none.
 */
export async function requireKeys({ services, db, unit }: Context, realm: RealmRecord): Promise<void> {
  if (unit) return;
  const where = { realmId: realm.id, providerType: keyProviderType, secrets: { not: null } };
  if ((await db.component.count({ where })) === 0) await services.keyring.realmKeys(realm);
}
