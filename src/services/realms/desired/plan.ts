import { createHmac } from 'node:crypto';
import type { Db, ModelName } from '../../../database/db.js';
import { eventHorizon } from '../../../database/event-positions.js';
import { takenIds } from '../../../database/taken-ids.js';
import { requireNoCircles } from '../../authorization/circles.js';
import type { Context } from '../../core/context.js';
import { withLeaves } from '../../core/json.js';
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
import { assembleWhole, isOpen, type KnownUser, type Surroundings } from './assemble.js';
import { administrationRolesOf, currentRealm, namedUsers, protectedIn, usersOf } from './current.js';
import { comparable, type Delta, deltaOf, entriesIn, type Row, withKeptRows } from './delta.js';
import { describeChanges, type PlannedChange } from './describe.js';
import { withPlacesOf } from './file-places.js';
import { refuseOtherDestinations } from './kept-secrets.js';
import { type Json, listOf, type Modes, modeOf } from './kinds.js';
import { requireSecrets } from './lost-secrets.js';
import { mergedRealm } from './merge.js';
import { type Names, newNames, realmIds } from './merge-list.js';
import { wholes } from './objects.js';
import { placeOfPolicy } from './places.js';
import { withCurrentNames } from './references.js';
import { requireRules } from './rules.js';
import { withAddedNames } from './settings.js';
import { withoutUnchangedUsers } from './unchanged-users.js';
import { shownText, type UnknownValue, unknownDigest, withoutUnknowns, withShownUnknowns } from './unknown-values.js';
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
  { file, modes, formerNames }: Desired,
  { hashes, comparesSecrets }: PlanOptions,
): Promise<Comparison> {
  const known = decodeKnown(RealmRepresentation, file);
  const given = known.input as Json;
  requireSameRealm(realm, given);
  const { services } = ctx;
  const current = await currentRealm(db, services.sealer, realm, usersOf(given, modeOf(modes, 'users'), formerNames));
  const names = newNames();
  const administration = await administrationRolesOf(db, realm);
  const isProtected = await protectedIn(db, realm, administration);
  const merging = { modes, names, formerNames, comparesSecrets, isProtected };
  const merged = mergedRealm(current, given, merging);
  const { refusals } = names;
  refusals.attempt(() => requireSecrets(given, names.lost));
  refuseOtherDestinations({ current, desired: merged, given }, names);
  const named = withAddedNames(withCurrentNames(merged, names, current), given, modes);
  const desired = withReplacedIds(named, realmIds(names));
  const { unchanged, ...states } = withoutUnchangedUsers(current, desired, names.changed.size === 0);
  const rowsOf = await assembling(ctx, db, realm, { given, current, unchanged, ...(hashes && { hashes }) });
  const before = await rowsOf(states.before);
  const ofWhole = new Refusals();
  const whole = await rowsOf(states.after, ofWhole);
  for (const refusal of ofWhole.all) refusals.add(withPlacesOf(given, states.after, refusal));
  const after = withKeptRows(before, whole, comparesSecrets);
  const clientOf = (id: string) => after.Client.find((client) => client.id === id) as Row | undefined;
  refusals.attempt(() =>
    requireNoCircles(after, (policy) => placeOfPolicy(given, clientOf(policy.resourceServerId), policy)),
  );
  const delta = deltaOf(before, after);
  await refusals.attemptLater(() => requireAdministration(ctx, db, realm, given, delta));
  await refusals.attemptLater(() => requireRules(db, realm, { given, desired: states.after, after, delta }));
  const warnings = warningsOf({ ignored: known.ignored, given, current, desired, after });
  return { given, names, administration, unchanged, before, after, delta, refusals, warnings };
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
  const { given, refusals, warnings } = await compared(ctx, ctx.db, realm, desired, { comparesSecrets: true });
  return { faults: allFaults(withoutUnknowns(refusals.all, given)), warnings };
}

/**
 * Compares a realm with a file, and returns what would change. Reads with a number of statements that depends on the kinds of
 * objects alone. Throws `invalid`, `conflict` or `unknownField` with all faults of the file and their places in it.
 */
export async function planOf(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  desired: Desired,
  options: PlanOptions,
): Promise<FilePlan> {
  const comparison = await compared(ctx, db, realm, desired, options);
  const { given, names, administration, unchanged, before, after, delta, refusals } = comparison;
  refuseAll(withoutUnknowns(refusals.all, given));
  const described = describeChanges({ before, after, delta, administration }, names).map(withShownUnknowns);
  const changes = options.countsUsers ? await withAffectedUsers(db, described, delta) : described;
  const users = new Set<unknown>(after.User.map(({ id }) => id));
  const rows = { delta, after, isDecided: ({ userId }: Row) => users.has(userId) };
  const plan = wholePlan(changes, { ...rows, before }, warningTexts(comparison.warnings).map(shownText));
  plan.summary.unchanged += unchanged.length;
  if (desired.unknown?.length) plan.digest = digestWithUnknown(plan, desired.unknown, before);
  return { ...plan, given, matched: names.matched, unchanged };
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
}

/**
 * What makes rows of a realm, as it is or as it is to be; both have the same ids. What is wrong with the realm is thrown, or added to `refusals`. A realm that is put together of what has been decoded
 * and of what this version exports has nothing left to decode.
 */
export async function assembling(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  { given, current, unchanged = [], hashes }: Assembled,
): Promise<(whole: Json, refusals?: Refusals) => Promise<RealmRows>> {
  const around = await surroundingsOf(ctx, db, realm, { given, current });
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
  { given, current }: { given: Json; current: Json },
): Promise<Surroundings> {
  const { services } = ctx;
  const asked = idsIn(given);
  const own = new Set(asked.length === 0 ? [] : idsIn(current));
  const taken = await takenIds(
    db,
    asked.filter((id) => !own.has(id)),
  );
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

/** What only the realm itself knows: one of its keys, whatever others it gets. */
function keyOf({ Component }: RealmRows): string {
  const [first] = Component.filter(
    ({ providerType, secrets }) => providerType === keyProviderType && isOpen(secrets),
  ).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return JSON.stringify(comparable(entriesIn(first?.secrets)));
}

/** The digest of a plan that does not know some values: the same plan is another one with other references. */
function digestWithUnknown({ digest }: Plan, unknown: readonly UnknownValue[], before: RealmRows): string {
  const hash = createHmac('sha256', keyOf(before)).update(digest);
  for (const { path, reference } of unknown) hash.update(JSON.stringify([path, reference]));
  return `${unknownDigest}${hash.digest('hex')}`;
}

/**
 * What a plan is known by. Ids of new objects are random, and secrets must not be guessed by it: neither is in it. It is made with a key of the
 * realm, because more people see the digest of an apply than may view what that has changed: they could guess at it elsewhere.
 */
function digestOf(changes: readonly PlannedChange[], { delta, before }: { delta: Delta; before: RealmRows }): string {
  const created = new Set<unknown>();
  for (const { inserted } of delta.values()) for (const { id } of inserted) created.add(id);
  const hash = createHmac('sha256', keyOf(before));
  const withoutId = (leaf: unknown) => (created.has(leaf) ? null : (leaf ?? null));
  for (const { action, kind, key, fields } of changes) {
    const values = fields.map(({ path, before, after }) => [
      path,
      withLeaves(before, withoutId),
      withLeaves(after, withoutId),
    ]);
    hash.update(JSON.stringify([action, kind, key, values]));
  }
  return hash.digest('hex');
}
