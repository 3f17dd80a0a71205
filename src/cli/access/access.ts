import type { Change } from '../../services/core/changes.js';
import type { Json, Modes } from '../../services/realms/desired/kinds.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';
import type { Origin } from '../desired/origin.js';

/** What a realm is to be. */
export interface PlanInput extends Origin {
  desired: object;
  modes?: Modes;
}

/** What a realm is to be, and what may happen to it. */
interface ApplyInput extends PlanInput {
  expectedDigest: string;
  allowDeletes: number;
}

/** Which parts of a realm are read besides its configuration. */
interface PulledParts {
  users: boolean;
  secrets: boolean;
}

/** Where admin events about objects of a realm can be. */
export interface EventPlaces {
  /** paths of objects; events about their parts are below them */
  paths: readonly string[];
  /** ends of paths of objects whose container is not known */
  endings: readonly string[];
  /** kinds of objects of which deletions are looked for */
  deletedKinds: readonly string[];
  /** whether the realm itself is looked for */
  isRealm: boolean;
}

/** Who changed an object of a realm, and when. */
export interface ChangeRecord {
  /** ISO 8601 */
  time: string;
  /** name of the user, or of the client if no user is known */
  by: string;
  operation: string;
  operationType: string;
  resourceType: string;
  resourcePath: string;
  changes: readonly Pick<Change, 'path' | 'before'>[];
}

/** The realms of a database, or of a server. */
export interface RealmAccess {
  /** Compares a realm with what it is to be. */
  plan(realm: string, input: PlanInput): Promise<ShownPlan>;
  /** Makes the changes of a plan, all or nothing. */
  apply(realm: string, input: ApplyInput): Promise<ShownPlan>;
  /** The RealmRepresentation of a realm, with masks unless secrets are asked for. */
  pull(realm: string, parts: PulledParts): Promise<Json>;
  /** Admin events at these places, newest first, at most 500. */
  records(realm: string, places: EventPlaces): Promise<ChangeRecord[]>;
  /** Yields once the realm is followed, and after its changes, until the signal is aborted. */
  changes(realm: string, signal: AbortSignal): AsyncIterable<void>;
}

/** Most records that `RealmAccess.records` returns. */
export const mostRecords = 500;
