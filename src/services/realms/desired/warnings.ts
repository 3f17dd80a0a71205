import type { RealmRows } from '../assemble/draft.js';
import { pathText, stepsOf } from '../files/path-text.js';
import type { Json } from './kinds.js';
import { versionWarnings } from './secret-version.js';
import { type Idle, unknownNames } from './unknown-names.js';
import { unknownProviders } from './unknown-providers.js';

/** Maximum places in warnings of one kind. */
const mostNamed = 100;
/** Characters of an unknown field that are shown. */
const longestName = 200;
const withShortName = (path: readonly string[]): string[] => path.with(-1, path.at(-1)?.slice(0, longestName) ?? '');

/** The sentences of the first of many warnings, and the number of the others. */
const firstOf = <W>(warnings: readonly W[], rest: string, sentence: (warning: W) => string): string[] => [
  ...warnings.slice(0, mostNamed).map(sentence),
  ...(warnings.length > mostNamed ? [`${warnings.length - mostNamed} more ${rest}.`] : []),
];

interface Warned {
  /** fields of the file that no representation has */
  ignored: readonly string[][];
  given: Json;
  current: Json;
  desired: Json;
  after: RealmRows;
  /** sentences about rules of objects that do not exist */
  withoutObjects: string[];
}

/** The parts of a file that have no effect in the realm. */
export interface Warnings {
  /** fields of the file that no representation has */
  unknown: readonly string[][];
  older: string[];
  /** names and providers that the realm will not have */
  idle: Idle[];
  /** versions of secrets that change nothing */
  versions: Idle[];
  lifecycle: string[];
}

export function warningsOf({ ignored, given, current, desired, after, withoutObjects }: Warned): Warnings {
  return {
    unknown: ignored,
    older:
      given.defaultRoles === undefined
        ? []
        : ['`defaultRoles` is ignored: the composites of the default role say what new users get.'],
    idle: [...unknownNames(given, after), ...unknownProviders(given)],
    versions: versionWarnings(given, current, desired),
    lifecycle: withoutObjects,
  };
}

/** The sentences of warnings, with their places in the file, in which objects have their names. */
export function warningTexts({ unknown, older, idle, versions, lifecycle }: Warnings, file: Json): string[] {
  const nowhereSecret: ReadonlySet<string> = new Set();
  const place = (path: readonly string[]): string => `\`${pathText(file, stepsOf(file, path), nowhereSecret)}\``;
  const sentence = ({ path, message }: Idle): string => `${place(path)} ${message}`;
  return [
    ...firstOf(
      unknown,
      'fields are unknown',
      (path) => `${place(withShortName(path))} is not a field that this version knows.`,
    ),
    ...older,
    ...firstOf(idle, 'names have no effect', sentence),
    ...firstOf(versions, 'versions of secrets have no effect', sentence),
    ...firstOf(lifecycle, 'rules have no effect', (text) => text),
  ];
}
