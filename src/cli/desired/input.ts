import { isObject } from '../../services/core/json.js';
import type { FaultAt } from '../../services/core/refusal.js';
import type { Modes } from '../../services/realms/desired/kinds.js';
import type { PlanInput } from '../access/access.js';
import { printError } from '../print.js';
import { byPosition, DesiredRealmError, faultText } from './faults.js';
import { describeAnother } from './for-realm.js';
import { type DesiredRealm, type LoadOptions, loadDesired } from './load.js';
import { locating, secretTexts } from './located.js';
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

/** The input of a plan: the fields of a realm of files, the modes of kinds, and the values that are not known. */
export function planInput({ realm, unknownValues }: Pick<DesiredRealm, 'realm' | 'unknownValues'>): PlanInput {
  const { [settingsWord]: settings, ...desired } = realm;
  const modes = isObject(settings) ? (settings['modes'] as Modes | undefined) : undefined;
  const unknown = unknownValues.map(({ path, reference }) => ({ path: path.map(String), reference }));
  return {
    desired,
    ...(modes !== undefined && { modes }),
    ...(unknown.length > 0 && { unknownValues: unknown }),
  };
}

/** The references whose values a plan does not know, each once. */
export const unknownReferences = ({ unknownValues = [] }: PlanInput): string[] => [
  ...new Set(unknownValues.map(({ reference }) => reference)),
];

/**
 * The realm that files describe. Prints warnings on the standard error stream. Throws DesiredRealmError with all faults of the files if any is
 * an error, or if nothing names the realm.
 */
export function desiredInput(files: string[], options: LoadOptions & { realm?: string | undefined }): Desired {
  const loaded = loadDesired(files, options);
  const { realm } = loaded;
  for (const warning of loaded.warnings) printError(faultText(warning));
  const name = options.realm ?? realm['realm'];
  if (typeof name !== 'string') throw new Error('Name the realm with --realm NAME, or by the field `realm` of a file');
  describeAnother(realm, name);
  const secrets = secretTexts(loaded);
  const located = locating(loaded);
  return {
    name,
    input: planInput(loaded),
    secrets,
    located: (faults) => new DesiredRealmError(faults.map((fault) => located(fault)).toSorted(byPosition)),
  };
}
