import { type FaultAt, faultsOf, type Missing, Refusal } from '../../services/core/refusal.js';
import { masterName } from '../../services/realms/defaults/master.js';
import { type Json, type KindWithMode, type Modes, mapOf, modeOf } from '../../services/realms/desired/kinds.js';
import { checkedFile } from '../../services/realms/desired/plan.js';
import { desiredWithUnknowns } from '../../services/realms/desired/representation.js';
import { createScratchRealm } from '../../services/realms/scratch.js';
import { withScratchDatabase } from '../scratch-database.js';
import type { Fault } from './faults.js';
import { planInput } from './input.js';
import type { DesiredRealm } from './load.js';
import { locating, secretTexts, valueAt } from './located.js';
import { masker } from './mask-plan.js';

/** The realm without the fields that have faults, so that the rest of it can be planned. */
function withoutFaulty(realm: Json, faults: readonly Fault[]): Json {
  const copy = structuredClone(realm);
  for (const { path, severity } of faults) {
    const last = path?.at(-1);
    if (severity === 'warning' || typeof last !== 'string') continue;
    const holder = valueAt(copy, path?.slice(0, -1) ?? []);
    if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last);
  }
  return copy;
}

const has = (desired: Json, { kind, clientId }: Missing): boolean => {
  const roles = mapOf(desired, 'roles');
  if (kind === 'roles') return roles.realm !== undefined;
  if (kind === 'clientRoles') return mapOf(roles, 'client')[clientId ?? ''] !== undefined;
  return desired[kind] !== undefined;
};

/**
 * The severity of a name without an object: an error only if the realm loses all objects of the kind that the files lack. Undefined if the files
 * have none of the kind.
 */
function severityOf(missing: Missing | undefined, desired: Json, modes: Modes): Fault['severity'] | undefined {
  if (missing === undefined) return 'error';
  if (missing.isItself) return 'warning';
  if (!has(desired, missing)) return undefined;
  const kind: KindWithMode = missing.kind;
  // the master realm keeps the clients that administer other realms
  return modeOf(modes, kind) === 'FULL' && desired.realm !== masterName ? 'error' : 'warning';
}

interface Checked extends FaultAt {
  missing?: Missing | undefined;
  /** whether it prevents the files from being applied */
  isFault: boolean;
}

/** The faults and warnings that the rules of a plan find in a file. */
async function checked(name: string, input: ReturnType<typeof planInput>): Promise<Checked[]> {
  try {
    return await withScratchDatabase(async (ctx) => {
      const realm = await createScratchRealm(ctx, name);
      const { faults, warnings } = await checkedFile(
        ctx,
        realm,
        desiredWithUnknowns({ ...input, desired: input.desired as Json }),
      );
      return [
        ...faults
          // whether a mask has a secret, and whether anything is deleted, depends on the realm
          .filter(({ code, path }) => code !== 'SECRET_REQUIRED' && path?.[0] !== 'lifecycle')
          .map(({ path = [], ...fault }) => ({ ...fault, path, isFault: true })),
        ...warnings.idle.map((idle) => ({ ...idle, isFault: false })),
      ];
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return faultsOf(error).map(({ path = [], ...fault }) => ({ ...fault, path, isFault: true }));
  }
}

/**
 * Further faults of a desired realm besides the `known` ones: faults that the rules of a plan find for a new realm.
 * Names of objects that the realm may have besides the files are not faults.
 */
export async function faultsOfPlan(loaded: DesiredRealm, known: readonly Fault[]): Promise<Fault[]> {
  const realm: Json = loaded.realm;
  const rest = withoutFaulty(realm, known);
  const unknownValues = loaded.unknownValues.filter(({ path }) => valueAt(rest, path) !== undefined);
  const input = planInput({ realm: rest, unknownValues });
  const { desired, modes = {} } = input;
  const name = typeof realm.realm === 'string' ? realm.realm : 'realm';
  const located = locating(loaded);
  const masked = masker(secretTexts(loaded));
  const places = new Set(known.map(({ position }) => JSON.stringify(position)));
  return (await checked(name, input)).flatMap(({ path, message, missing, isFault }): Fault[] => {
    const severity = severityOf(missing, desired as Json, modes);
    if (severity === undefined) return [];
    const condition = missing?.isItself ? ', unless the realm has it already' : '';
    const fault = located({ path, message: `${masked(message)}${condition}` }, isFault ? ': ' : ' ');
    // the field has another fault already
    if (fault.position && places.has(JSON.stringify(fault.position))) return [];
    return [{ ...fault, severity: isFault ? severity : 'warning' }];
  });
}
