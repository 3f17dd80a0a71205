import { isObject, members, ownMember } from './json.js';
import { isMaskedSetting, mask } from './mask.js';
import type { AuditRecord } from './operation.js';

/** Stands in an audit record for a replaced secret: with masks before and after, the values would look equal. */
const replaced = `${mask} (replaced)`;

type Path = readonly string[];

/** Whether a value of the state before a write stands for a replaced secret. */
export const isReplacedSecret = (value: unknown): boolean => value === replaced;

/** The paths of the secrets that an object had and that an input has new values for. */
function replacedBy(before: unknown, input: unknown, path: Path = []): Path[] {
  if (isMaskedSetting(before)) return input == null || input === '' || isMaskedSetting(input) ? [] : [path];
  if (!isObject(before) || !isObject(input)) return [];
  return Object.keys(before).flatMap((name) => replacedBy(before[name], ownMember(input, name), [...path, name]));
}

/** An object with a member at a path. */
function withMember(object: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  return { ...members(object), [first]: withMember(ownMember(members(object), first), rest, value) };
}

/** An object before a write, with a marker in place of the secrets at these paths. */
export const markReplaced = (before: unknown, paths: readonly Path[]): unknown =>
  paths.reduce((marked, path) => withMember(marked, path, replaced), before);

/** The paths of the secrets that a write has replaced: from its audit record, and from new values in its input. */
export const replacedSecrets = ({ before, replaces = [] }: AuditRecord, input: unknown): Path[] => [
  ...replaces,
  ...replacedBy(before, input),
];

/** The replaced secrets of an object before a write, without its other fields. */
export function onlyReplaced(before: unknown): unknown {
  if (!isObject(before)) return isReplacedSecret(before) ? before : undefined;
  const parts = Object.entries(before).flatMap(([name, value]) => {
    const part = onlyReplaced(value);
    return part === undefined ? [] : [[name, part] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}
