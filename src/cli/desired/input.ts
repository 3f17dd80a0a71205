import { isObject } from '../../services/core/json.js';
import type { FaultAt } from '../../services/core/refusal.js';
import type { Modes } from '../../services/realms/desired/kinds.js';
import type { PlanInput } from '../access/access.js';
import { DesiredRealmError, type Fault } from './faults.js';
import { describeAnother } from './for-realm.js';
import { type LoadOptions, loadDesired } from './load.js';
import { pathText } from './path-text.js';
import type { Step } from './shape.js';
import { settingsWord } from './words.js';

/** What files say of a realm, for plan and apply. */
export interface Desired {
  /** name of the realm */
  name: string;
  input: PlanInput;
  /** texts that came from variables and other files: they are not printed */
  secrets: string[];
  /** Returns the same faults with their lines in the files. */
  located(faults: readonly FaultAt[]): DesiredRealmError;
}

const valueAt = (value: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );

/** The realm that files describe. Throws DesiredRealmError with all faults of the files, or if nothing names the realm. */
export function desiredInput(files: string[], options: LoadOptions & { realm?: string | undefined }): Desired {
  const { realm, secretPaths, positionOf } = loadDesired(files, options);
  const name = options.realm ?? realm['realm'];
  if (typeof name !== 'string') throw new Error('Name the realm with --realm NAME, or by the field `realm` of a file');
  describeAnother(realm, name);
  const { [settingsWord]: settings, ...desired } = realm;
  const modes = isObject(settings) ? (settings['modes'] as Modes | undefined) : undefined;
  const secrets = secretPaths.map((path) => valueAt(realm, path)).filter((value) => typeof value === 'string');
  const secret = new Set(secretPaths.map((path) => JSON.stringify(path)));
  const located = ({ path: given, message }: FaultAt): Fault => {
    const path = stepsOf(realm, given);
    if (path.length === 0) return { severity: 'error', message };
    const place = pathText(realm, path, secret);
    return { severity: 'error', message: `\`${place}\`: ${message}`, position: positionOf(path), path };
  };
  return {
    name,
    input: { desired, ...(modes !== undefined && { modes }) },
    secrets: secrets.filter(Boolean),
    located: (faults) => new DesiredRealmError(faults.map(located)),
  };
}

/** A path with the positions in lists as numbers. */
function stepsOf(realm: unknown, path: readonly string[]): Step[] {
  let value = realm;
  return path.map((part) => {
    const step: Step = Array.isArray(value) ? Number(part) : part;
    value = valueAt(value, [step]);
    return step;
  });
}
