import { exactText } from '../../services/core/json.js';

type Row = Record<string, unknown>;

/** A row, with the filter of the rows below it that exist for callers. The filter follows from the realm. */
export interface Parent {
  id: string;
  realmId: string;
  shown: Row;
}

/** Tells parents apart whose rows a request reads, also once it has changed what exists. */
export const parentKey = ({ id, shown }: Parent): string => `${id} ${exactText(shown)}`;

/** One filter of the rows below parents of several realms. It names the realms only if their filters differ. */
export function shownBelow(parents: readonly Parent[]): Row {
  const filters = new Map<string, { shown: Row; realmIds: Set<string> }>();
  for (const { realmId, shown } of parents) {
    const key = exactText(shown);
    const known = filters.get(key) ?? { shown, realmIds: new Set<string>() };
    known.realmIds.add(realmId);
    filters.set(key, known);
  }
  const [first, ...others] = filters.values();
  if (!first || others.length === 0) return first?.shown ?? {};
  return { OR: [first, ...others].map(({ shown, realmIds }) => ({ realmId: { in: [...realmIds] }, AND: [shown] })) };
}
