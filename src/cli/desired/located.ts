import type { FaultAt } from '../../services/core/refusal.js';
import { pathText, stepsOf } from '../../services/realms/files/path-text.js';
import type { Step } from '../../services/realms/files/shape.js';
import type { Fault } from './faults.js';
import type { DesiredRealm } from './load.js';

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );

/** Returns a function that adds lines in the files to faults of a realm, and names the field before the message. */
export function locating({
  realm,
  secretPaths,
  positionOf,
}: Pick<DesiredRealm, 'realm' | 'secretPaths' | 'positionOf'>): (fault: FaultAt, separator?: string) => Fault {
  const secret = new Set(secretPaths.map((path) => JSON.stringify(path)));
  return ({ path: given, message }, separator = ': ') => {
    const path = stepsOf(realm, given);
    if (path.length === 0) return { severity: 'error', message };
    const place = pathText(realm, path, secret);
    return { severity: 'error', message: `\`${place}\`${separator}${message}`, position: positionOf(path), path };
  };
}

/** Texts of a realm that came from variables and other files. They are not printed. */
export const secretTexts = ({ realm, secretPaths }: Pick<DesiredRealm, 'realm' | 'secretPaths'>): string[] =>
  secretPaths
    .map((path) => valueAt(realm, path))
    .filter((value) => typeof value === 'string')
    .filter(Boolean);
