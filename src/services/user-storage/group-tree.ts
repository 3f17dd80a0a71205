import type { MappedEntry } from './mapped-entries.js';

/** A group of the directory with its place in the realm. */
export interface PlacedGroup {
  entry: MappedEntry;
  path: string;
  parentPath: string;
  name: string;
}

/**
 * Where the groups of the directory belong, parents before children: below `root` (a path, '' for the top level), one in
 * another where the directory has it as a member. A group that several have as a member stays with the first, and one that
 * would be within itself goes to the top.
 */
export function placedGroups(entries: readonly MappedEntry[], root: string, inherits: boolean): PlacedGroup[] {
  const byDn = new Map(entries.map((entry) => [entry.dn, entry]));
  const parents = new Map<string, MappedEntry>();
  if (inherits) {
    for (const entry of entries) {
      for (const member of entry.members) {
        if (byDn.has(member) && member !== entry.dn && !parents.has(member)) parents.set(member, entry);
      }
    }
  }
  const paths = new Map<string, string>();
  const pathOf = (entry: MappedEntry, above: ReadonlySet<string>): string => {
    const known = paths.get(entry.dn);
    if (known !== undefined) return known;
    const parent = parents.get(entry.dn);
    const isLoop = parent !== undefined && above.has(parent.dn);
    const base = parent && !isLoop ? pathOf(parent, new Set([...above, entry.dn])) : root;
    const path = `${base}/${entry.name}`;
    paths.set(entry.dn, path);
    return path;
  };
  const placed = new Map<string, PlacedGroup>();
  for (const entry of entries) {
    const path = pathOf(entry, new Set([entry.dn]));
    const parentPath = path.slice(0, path.length - entry.name.length - 1);
    // two groups of one name at one place are one group
    if (!placed.has(path)) placed.set(path, { entry, path, parentPath, name: entry.name });
  }
  return [...placed.values()].sort((one, other) => one.path.length - other.path.length);
}
