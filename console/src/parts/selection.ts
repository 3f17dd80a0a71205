import { useEffect, useState } from 'react';
import type { Pages } from '../session/pages.js';

const noIds: ReadonlySet<string> = new Set();

/** Rows that can be selected although they are not loaded yet: all that match. */
export interface Rest {
  /** how many match */
  total: number;
  isLoading: boolean;
  select(): void;
}

/** The selected rows of a list. What was selected at another place, such as with other filters, may be out of sight. */
export function useSelection(pages: Pages<unknown, { id: string }>, place: string) {
  const { nodes, total = 0, hasMore, isLoading, loadMore, error } = pages;
  const [selected, setSelected] = useState({ at: place, ids: noIds });
  const [loadingAt, setLoadingAt] = useState<string>();
  const selection = selected.at === place ? selected.ids : noIds;
  const isLoadingAll = loadingAt === place;
  const select = (ids: ReadonlySet<string>) => setSelected({ at: place, ids });
  useEffect(() => {
    if (!isLoadingAll || isLoading) return;
    if (!error && hasMore) return loadMore();
    if (!error) setSelected({ at: place, ids: new Set(nodes.map(({ id }) => id)) });
    setLoadingAt(undefined);
  }, [isLoadingAll, isLoading, error, hasMore, loadMore, nodes, place]);
  const isOffered = hasMore && nodes.every(({ id }) => selection.has(id));
  const rest: Rest | undefined =
    isOffered || isLoadingAll ? { total, isLoading: isLoadingAll, select: () => setLoadingAt(place) } : undefined;
  return { selection, select, clear: () => select(noIds), rest };
}
