import type { FaultAt } from '../../services/core/refusal.js';
import type { ShownApply } from '../../services/realms/applied/representation.js';
import type { Json, Modes } from '../../services/realms/desired/kinds.js';
import type { NamedObject } from '../../services/realms/desired/objects.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';
import type { Origin } from '../desired/origin.js';

/** A rule for plans about one object. */
export interface LifecycleInput extends NamedObject {
  preventDestroy?: boolean;
  ignoreChanges?: string[];
}

/** The desired state of a realm. */
export interface PlanInput extends Origin {
  desired: object;
  modes?: Modes;
  /** values that are unknown without secrets, with the texts in the files in their places */
  unknownValues?: { path: string[]; reference: string }[];
  /** the objects that may change, with the objects that they need. Default: all */
  targets?: NamedObject[];
  /** actions that plans must not take on some objects */
  lifecycle?: LifecycleInput[];
}

/** The plan that was reviewed, and how many objects may be deleted. */
interface Expected {
  expectedDigest: string;
  allowDeletes: number;
}

/** A desired realm, and its reviewed plan. */
interface ApplyInput extends PlanInput, Expected {}

/** The parts of a realm to read besides its configuration. */
interface PulledParts {
  users: boolean;
  secrets: boolean;
}

/** A file that was refused, with all that is wrong with it. */
export class RefusedFile extends Error {
  constructor(
    message: string,
    readonly faults: readonly FaultAt[],
  ) {
    super(message);
    this.name = 'RefusedFile';
  }
}

/** The realms of a database, or of a server. `plan` and `apply` throw a RefusedFile for a file that the realm cannot be as. */
export interface RealmAccess {
  /** Creates an enabled realm with the settings of a new one. False if the realm exists. */
  create(realm: string): Promise<boolean>;
  /** Deletes a realm. */
  remove(realm: string): Promise<void>;
  /** Compares a realm with its desired state. */
  plan(realm: string, input: PlanInput): Promise<ShownPlan>;
  /** Makes the changes of a plan, all or nothing. */
  apply(realm: string, input: ApplyInput): Promise<ShownPlan>;
  /** The RealmRepresentation of a realm, with masks unless secrets are requested. */
  pull(realm: string, parts: PulledParts): Promise<Json>;
  /** The last applies and reverts of a realm, newest first, at most `most`. */
  applies(realm: string, most: number): Promise<ShownApply[]>;
  /** The plan of the revert of an apply. */
  revertPlan(realm: string, id: string): Promise<ShownPlan>;
  /** Reverts an apply, all or nothing. */
  revert(realm: string, id: string, expected: Expected): Promise<ShownPlan>;
  /** Yields once the realm is followed, and after its changes, until the signal is aborted. */
  changes(realm: string, signal: AbortSignal): AsyncIterable<void>;
}
