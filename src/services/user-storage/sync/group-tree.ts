import { longestPath } from '../../groups/store.js';
import type { MappedEntry } from '../mapped-entries.js';

/** A group of the directory with its place in the realm. */
interface PlacedGroup {
  entry: MappedEntry;
  path: string;
  parentPath: string;
  name: string;
}

/** The groups of the directory with their places in the realm, and groups that cannot be placed. */
export interface GroupTree {
  placed: PlacedGroup[];
  /** groups whose name or path cannot be stored, and groups within them */
  failed: MappedEntry[];
}

const longestName = 255;

/** Whether a group or role can have the name of this entry: names in directories can be longer, or not texts. */
export const hasStorableName = ({ name }: MappedEntry): boolean => name.length <= longestName && !name.includes('\0');

/**
 * Determines the places of the groups of the directory, parents before children. They are below `root` (a path, '' for
 * the top level), and nested if the directory has one as a member of another. A group with several parents stays with
 * the first one. A group that would contain itself goes to the top.
 */
export function placedGroups(entries: readonly MappedEntry[], root: string, inherits: boolean): GroupTree {
  const parents = inherits ? parentsOf(entries) : new Map<string, MappedEntry>();
  // the path of each group; null if it cannot be stored
  const paths = new Map<string, string | null>();
  for (const entry of entries) {
    const open = openFrom(entry, parents, paths);
    for (const one of open.reverse()) {
      const parent = parents.get(one.dn);
      // a parent without a path is within the group itself
      const base = parent ? paths.get(parent.dn) : undefined;
      paths.set(one.dn, base === null ? null : pathBelow(base ?? root, one));
    }
  }
  const placed = new Map<string, PlacedGroup>();
  const failed: MappedEntry[] = [];
  for (const entry of entries) {
    const path = paths.get(entry.dn) ?? null;
    if (path === null) failed.push(entry);
    // two groups of one name at one place are one group
    else if (!placed.has(path)) {
      const parentPath = path.slice(0, path.length - entry.name.length - 1);
      placed.set(path, { entry, path, parentPath, name: entry.name });
    }
  }
  return { placed: [...placed.values()].sort((one, other) => one.path.length - other.path.length), failed };
}

/** The parents of groups, by the DNs of the members. */
function parentsOf(entries: readonly MappedEntry[]): Map<string, MappedEntry> {
  const known = new Set(entries.map(({ dn }) => dn));
  const parents = new Map<string, MappedEntry>();
  for (const entry of entries) {
    for (const member of entry.members) {
      if (known.has(member) && member !== entry.dn && !parents.has(member)) parents.set(member, entry);
    }
  }
  return parents;
}

/** A group and its ancestors without a known path, without duplicates. */
function openFrom(
  entry: MappedEntry,
  parents: ReadonlyMap<string, MappedEntry>,
  paths: ReadonlyMap<string, string | null>,
): MappedEntry[] {
  const open = new Map<string, MappedEntry>();
  for (let one: MappedEntry | undefined = entry; one; one = parents.get(one.dn)) {
    if (open.has(one.dn) || paths.has(one.dn)) break;
    open.set(one.dn, one);
  }
  return [...open.values()];
}

/** The path of a group within another one; null if it cannot be stored. */
function pathBelow(base: string, entry: MappedEntry): string | null {
  const path = `${base}/${entry.name}`;
  return hasStorableName(entry) && Buffer.byteLength(path) <= longestPath ? path : null;
}
