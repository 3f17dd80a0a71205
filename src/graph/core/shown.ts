import { exactText } from '../../services/core/json.js';

type Row = Record<string, unknown>;

/** A row, with the filter of the rows below it that exist for callers. The filter depends on the realm. */
export interface Parent {
  id: string;
  realmId: string;
  shown: Row;
}

/**
 * A key for parents whose rows a request reads. It differs after the request has changed the filter of existing rows.
 */
export const parentKey = ({ id, shown }: Parent): string => `${id} ${exactText(shown)}`;

/**
 * Combines the filters of the rows below parents of several realms. The filter names the realms only if their filters
 * differ.
 */
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
