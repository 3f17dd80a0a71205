import { type Config, one } from '../config.js';
import type { MappedEntry } from '../mapped-entries.js';

/** Whether users are in the groups within which their groups are as well. */
export const readsRecursively = (config: Config): boolean =>
  /_RECURSIVELY$/.test(one(config, 'user.roles.retrieve.strategy') ?? '');

/** The entries, each with its direct and indirect members. */
export function withInherited(entries: readonly MappedEntry[]): MappedEntry[] {
  const byDn = new Map(entries.map((entry) => [entry.dn, entry]));
  return entries.map((entry) => {
    const members = new Set<string>();
    const open = [entry];
    const seen = new Set([entry.dn]);
    for (let next = open.pop(); next; next = open.pop()) {
      for (const member of next.members) {
        members.add(member);
        const inner = byDn.get(member);
        if (!inner || seen.has(member)) continue;
        seen.add(member);
        open.push(inner);
      }
    }
    return { ...entry, members: [...members] };
  });
}
