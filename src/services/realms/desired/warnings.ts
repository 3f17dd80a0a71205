import type { RealmRows } from '../assemble/draft.js';
import type { Json } from './kinds.js';
import { versionWarnings } from './secret-version.js';
import { unknownNames } from './unknown-names.js';

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
}

/** What a realm cannot be as a file says. */
export function warningsOf({ ignored, given, current, desired, after }: Warned): string[] {
  const unknown = [...new Set(ignored)].map(
    (path) => `\`${path.slice(0, longestPath)}\` is not a field that this version knows.`,
  );
  const older =
    given.defaultRoles === undefined
      ? []
      : ['`defaultRoles` is ignored: the composites of the default role say what new users get.'];
  return [
    ...firstOf(unknown, 'fields are unknown'),
    ...older,
    ...firstOf(unknownNames(given, after), 'names have no effect'),
    ...versionWarnings(given, current, desired),
  ];
}
