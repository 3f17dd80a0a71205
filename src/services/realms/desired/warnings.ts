import type { RealmRows } from '../assemble/draft.js';
import type { Json } from './kinds.js';
import { versionWarnings } from './secret-version.js';
import { type Idle, unknownNames } from './unknown-names.js';
import { unknownProviders } from './unknown-providers.js';

/** Most places that warnings of one sort name. */
const mostNamed = 100;
/** Characters of a path that are shown. */
const longestPath = 200;

/** The first of many warnings, and how many more there are. */
const firstOf = (warnings: readonly string[], rest: string): string[] =>
  warnings.length <= mostNamed
    ? [...warnings]
    : [...warnings.slice(0, mostNamed), `${warnings.length - mostNamed} more ${rest}.`];

interface Warned {
  /** fields of the file that no representation has */
  ignored: readonly string[];
  given: Json;
  current: Json;
  desired: Json;
  after: RealmRows;
  /** sentences about rules of objects that do not exist */
  withoutObjects: string[];
}

/** What a realm cannot be as a file says. */
export interface Warnings {
  /** fields of the file that no representation has */
  unknown: string[];
  older: string[];
  /** names and providers that the realm will not have */
  idle: Idle[];
  versions: string[];
  lifecycle: string[];
}

export function warningsOf({ ignored, given, current, desired, after, withoutObjects }: Warned): Warnings {
  return {
    unknown: [...new Set(ignored)],
    older:
      given.defaultRoles === undefined
        ? []
        : ['`defaultRoles` is ignored: the composites of the default role say what new users get.'],
    idle: [...unknownNames(given, after), ...unknownProviders(given)],
    versions: versionWarnings(given, current, desired),
    lifecycle: withoutObjects,
  };
}

/** The sentences of warnings, with their places in the file. */
export function warningTexts({ unknown, older, idle, versions, lifecycle }: Warnings): string[] {
  const fields = unknown.map((path) => `\`${path.slice(0, longestPath)}\` is not a field that this version knows.`);
  const names = idle.map(({ path, message }) => `\`${path.join('.')}\` ${message}`);
  return [
    ...firstOf(fields, 'fields are unknown'),
    ...older,
    ...firstOf(names, 'names have no effect'),
    ...versions,
    ...firstOf(lifecycle, 'rules have no effect'),
  ];
}
