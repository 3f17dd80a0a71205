import { isObject } from '../../services/core/json.js';
import type { FaultAt } from '../../services/core/refusal.js';
import { type Json, type Modes, mapOf } from '../../services/realms/desired/kinds.js';
import type { NamedObject } from '../../services/realms/desired/objects.js';
import type { LifecycleInput, PlanInput } from '../access/access.js';
import { printError } from '../print.js';
import { byPosition, DesiredRealmError, faultText } from './faults.js';
import { describeAnother } from './for-realm.js';
import { type DesiredRealm, type LoadOptions, loadDesired } from './load.js';
import { locating, secretTexts } from './located.js';
import { objectNameForm, parseObjectName } from './object-name.js';
import { settingsWord } from './words.js';

/** The realm that files describe, for plan and apply. */
export interface Desired {
  /** name of the realm */
  name: string;
  input: PlanInput;
  /** texts that came from variables and other files: they are not printed */
  secrets: string[];
  /** Adds the lines in the files to faults. */
  located(faults: readonly FaultAt[]): DesiredRealmError;
}

/** The settings of plan and apply in files. */
interface Settings {
  modes?: Modes;
  lifecycle?: Record<string, Omit<LifecycleInput, keyof NamedObject>>;
}

/** The lifecycle rule of an object. Throws a sentence for an invalid name. */
function ruleOf([name, rule]: [string, Omit<LifecycleInput, keyof NamedObject>]): LifecycleInput {
  const object = parseObjectName(name);
  if (!object)
    throw new Error(
      `\`${settingsWord}.lifecycle\` has the name ${JSON.stringify(name)}, which must be ${objectNameForm}`,
    );
  return { ...object, ...rule };
}

/**
 * A fault with its place in files: the rules of a plan are a list, but in files they are keyed by the names of objects.
 */
function inFiles(realm: Json, { path, message }: FaultAt): FaultAt {
  const [first, index, ...rest] = path;
  if (first !== 'lifecycle') return { path, message };
  const names = Object.keys(mapOf(mapOf(realm, settingsWord), 'lifecycle'));
  return { path: [settingsWord, 'lifecycle', names[Number(index)] ?? '', ...rest], message };
}

/** The input of a plan: the fields of a realm from files, the modes of kinds, and the unknown values. */
export function planInput({ realm, unknownValues }: Pick<DesiredRealm, 'realm' | 'unknownValues'>): PlanInput {
  const { [settingsWord]: settings, ...desired } = realm;
  const { modes, lifecycle } = (isObject(settings) ? settings : {}) as Settings;
  const unknown = unknownValues.map(({ path, reference }) => ({ path: path.map(String), reference }));
  return {
    desired,
    ...(modes !== undefined && { modes }),
    ...(lifecycle !== undefined && { lifecycle: Object.entries(lifecycle).map(ruleOf) }),
    ...(unknown.length > 0 && { unknownValues: unknown }),
  };
}

/** The references to values that are unknown to a plan, without duplicates. */
export const unknownReferences = ({ unknownValues = [] }: PlanInput): string[] => [
  ...new Set(unknownValues.map(({ reference }) => reference)),
];

/**
 * The realm that files describe. Prints warnings on the standard error stream. Throws DesiredRealmError with all faults
 * of the files if any is an error, or if the realm has no name.
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
    located: (faults) =>
      new DesiredRealmError(faults.map((fault) => located(inFiles(realm, fault))).toSorted(byPosition)),
  };
}
