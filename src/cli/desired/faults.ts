import { mostFaults } from '../../services/core/refusal.js';
import type { Step } from '../../services/realms/files/shape.js';
import { oneLine } from '../print.js';

/** A place in a file; lines and columns count from 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

/** A fault of a desired realm. A realm with warnings can still be applied. */
export interface Fault {
  severity: 'error' | 'warning';
  /** one sentence without values that may be secret */
  message: string;
  position?: Position | undefined;
  /** path of the value in the realm, if it has one */
  path?: readonly Step[];
}

/** The text `file:line:column` of a position. */
export const positionText = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

/** A fault as one line: its position, and its sentence. */
export const faultText = ({ position, message, severity }: Fault): string =>
  oneLine(`${position ? `${positionText(position)}: ` : ''}${severity === 'warning' ? 'warning: ' : ''}${message}`);

/** Faults as lines, and the number of further ones. */
function linesOf(faults: readonly Fault[]): string[] {
  const rest = faults.length - mostFaults;
  const lines = faults.slice(0, mostFaults).map(faultText);
  return rest > 0 ? [...lines, `and ${rest.toLocaleString('en')} more`] : lines;
}

/** Files that are no desired realm. The message has a line for each fault, within a limit. */
export class DesiredRealmError extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(linesOf(faults).join('\n'));
    this.name = 'DesiredRealmError';
  }
}

/** Returns a function for the lines and columns of many offsets in one text, which is searched for lines at its first call. */
export function createLineFinder(text: string): (offset: number) => Pick<Position, 'line' | 'column'> {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let line = 0;
    let after = starts.length;
    while (after - line > 1) {
      const middle = Math.floor((line + after) / 2);
      if ((starts[middle] as number) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (starts[line] as number) + 1 };
  };
}

/** Faults in the order in which a person reads the files. */
export function byPosition({ position: a }: Fault, { position: b }: Fault): number {
  if (!a || !b) return Number(Boolean(b)) - Number(Boolean(a));
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
