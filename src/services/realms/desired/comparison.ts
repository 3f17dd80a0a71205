import type { Db } from '../../../database/db.js';
import type { Pause } from '../../../database/turns.js';
import { requireNoCircles } from '../../authorization/circles.js';
import type { Context } from '../../core/context.js';
import { withReplacedIds } from '../../core/own-id.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, Refusals } from '../../core/refusal.js';
import type { RealmRows } from '../assemble/draft.js';
import { requireAdministration } from './administration.js';
import { assembling } from './assembling.js';
import { administrationRolesOf, currentRealm, protectedIn, usersOf } from './current.js';
import { decodeFile } from './decode-file.js';
import { type Delta, type Row, withKeptRows } from './delta.js';
import { withPlacesOf } from './file-places.js';
import { refuseOtherDestinations } from './kept-secrets.js';
import { type Json, type Modes, modeOf } from './kinds.js';
import { ignoredBy, type LifecycleRule, refusedDeletions, rulesWithoutObjects, withoutFields } from './lifecycle.js';
import { requireSecrets } from './lost-secrets.js';
import { mergedRealm } from './merge.js';
import { type Names, newNames, realmIds } from './merge-list.js';
import { type NamedObject, objectName } from './objects.js';
import { placeOfPolicy } from './places.js';
import type { PasswordHashes } from './plain-passwords.js';
import { withCurrentNames } from './references.js';
import { requireRules } from './rules.js';
import { withAddedNames } from './settings.js';
import { plannedChanges } from './targets.js';
import { withoutUnchangedUsers } from './unchanged-users.js';
import type { UnknownValue } from './unknown-values.js';
import { type Warnings, warningsOf } from './warnings.js';

/** A file with its modes, and the limits of the changes. */
export interface Desired {
  /** a RealmRepresentation, or a part of one */
  file: Json;
  modes: Modes;
  formerNames: ReadonlyMap<string, string>;
  /** values of the file that are unknown to the plan */
  unknown?: readonly UnknownValue[];
  /** the objects that change, with the objects that they need. Default: all */
  targets?: readonly NamedObject[];
  /** actions that plans must not take on some objects */
  lifecycle?: readonly LifecycleRule[];
}

export interface PlanOptions {
  /** whether a different secret in the file counts as a change: the caller can use this to guess secrets */
  comparesSecrets: boolean;
  /** whether users who gain or lose something are counted */
  countsUsers?: boolean;
  /** the hashes of the passwords in the file, for a plan that is carried out */
  hashes?: PasswordHashes;
}

/** A realm compared with a file. */
export interface Comparison {
  given: Json;
  names: Names;
  administration: Awaited<ReturnType<typeof administrationRolesOf>>;
  unchanged: readonly Json[];
  before: RealmRows;
  after: RealmRows;
  delta: Delta;
  /** number of objects that would change besides the targets */
  omitted: number | undefined;
  /** the faults of the file */
  refusals: Refusals;
  warnings: Warnings;
}

/**
 * Compares a realm with a file, and finds all that is wrong with the file. Throws `invalid` or `unknownField` for fields of other types than
 * the contract has.
 */
export async function compared(
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

/** Refuses a file that names another realm. */
function requireSameRealm({ name }: RealmRecord, { realm }: Json): void {
  if (realm === undefined || realm === name) return;
  throw invalid(`The file describes the realm "${String(realm)}", not "${name}"`, 'realm');
}
