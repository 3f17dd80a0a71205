import type { Step } from '../../services/realms/files/shape.js';
import { createLineFinder, type Position } from './faults.js';

/** A file from which values were read. */
interface SourceText {
  /** in messages */
  file: string;
  text: string;
}

/** The offset of an object or list in its text, and the offsets of its members. */
export type RecordPlace = (container: object, offset: number, members: ReadonlyMap<Step, number>) => void;

interface Place {
  file: string;
  lineAndColumn: ReturnType<typeof createLineFinder>;
  offset: number;
  members: ReadonlyMap<Step, number>;
}

interface Member {
  container: object;
  key: Step;
}

/** A value of a file before its references were replaced. */
export interface Substituted {
  text: string;
  /** whether the value is unknown to a plan without secrets */
  isUnknown: boolean;
}

/**
 * The origins of the values of a realm. Objects and lists are identified by reference, so that they can be moved from
 * file to realm. Single values are identified by the object that holds them and their key.
 */
export interface Origins {
  /** Registers a file. `locate` is called when a position is needed, which most runs never do. */
  add(source: SourceText, locate: (record: RecordPlace) => void): void;
  /** Notes that a member was taken from another object. */
  moved(from: Member, to: Member): void;
  /** Notes that an object or list replaces another one. */
  replaced(from: object, to: object): void;
  positionOf(container: object, key?: Step): Position | undefined;
  /** Notes the text of a number or switch that would be printed differently, such as `1.10`. */
  wroteAs(member: Member, text: string): void;
  writtenText(member: Member): string | undefined;
  /** Notes that a value has parts from outside of the files. */
  substituted(member: Member, substituted: Substituted): void;
  substitutedOf(member: Member): Substituted | undefined;
  isSubstituted(member: Member): boolean;
}

/** Notes about the members of objects, which end with the objects. */
function memberNotes<T>() {
  const notes = new WeakMap<object, Map<Step, T>>();
  return {
    get: ({ container, key }: Member): T | undefined => notes.get(container)?.get(key),
    set({ container, key }: Member, note: T | undefined): void {
      const ofContainer = notes.get(container);
      if (note === undefined) ofContainer?.delete(key);
      else if (ofContainer) ofContainer.set(key, note);
      else notes.set(container, new Map([[key, note]]));
    },
  };
}

/** The origins of no values yet. */
export function createOrigins(): Origins {
  const places = new WeakMap<object, Place>();
  const successors = new WeakMap<object, object>();
  const pending: (() => void)[] = [];
  const takenFrom = memberNotes<Member>();
  const written = memberNotes<string>();
  const outside = memberNotes<Substituted>();
  return {
    add({ file, text }, locate) {
      const lineAndColumn = createLineFinder(text);
      pending.push(() =>
        locate((container, offset, members) => places.set(container, { file, lineAndColumn, offset, members })),
      );
    },
    moved(from, to) {
      takenFrom.set(to, takenFrom.get(from) ?? from);
      written.set(to, written.get(from));
      outside.set(to, outside.get(from));
    },
    replaced: (from, to) => successors.set(to, from),
    positionOf(container, key) {
      for (const locate of pending.splice(0)) locate();
      const member = key === undefined ? undefined : (takenFrom.get({ container, key }) ?? { container, key });
      const holder = member?.container ?? container;
      const place = places.get(holder) ?? places.get(successors.get(holder) ?? holder);
      if (!place) return undefined;
      const offset = member ? (place.members.get(member.key) ?? place.offset) : place.offset;
      return { file: place.file, ...place.lineAndColumn(offset) };
    },
    wroteAs: (member, text) => written.set(member, text),
    writtenText: (member) => written.get(member),
    substituted: (member, substituted) => outside.set(member, substituted),
    substitutedOf: (member) => outside.get(member),
    isSubstituted: (member) => outside.get(member) !== undefined,
  };
}
