import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { type NodeOf, nodeOf } from '../session/node.js';
import { GroupLevel, type GroupLevelQuery, type GroupRowFragment } from './documents.js';

type Level = NodeOf<GroupLevelQuery>;
type Page = NonNullable<Level['children']>;

/** A line of the tree: a group, or the place of groups that are not loaded yet. */
export interface Row {
  key: string;
  depth: number;
  /** the group that contains it; undefined at the top level */
  parent: string | undefined;
  group?: GroupRowFragment;
  loadMore?(): void;
}

const pageSize = 100;

/** The children of open groups, loaded page by page, and again after a mutation of groups. */
export function useBranches(realm: string, open: ReadonlySet<string>) {
  const client = useClient();
  const [pages, setPages] = useState<ReadonlyMap<string, Page[]>>(new Map());
  const sources = useRef(new Map<string, { parent: string; unsubscribe(): void }>());
  const load = useCallback(
    (parent: string, at: number, after: string | null) => {
      const key = `${parent} ${after}`;
      if (sources.current.has(key)) return;
      const variables = { realm, parent, isTop: false, first: pageSize, after, isFirst: at === 0 };
      const source = client.query<GroupLevelQuery>(GroupLevel.toString(), variables).subscribe(({ data }) => {
        const page = nodeOf(data?.node)?.children;
        if (!page) return;
        setPages((before) => {
          const next = [...(before.get(parent) ?? [])];
          next[at] = page;
          return new Map(before).set(parent, next);
        });
      });
      sources.current.set(key, { parent, ...source });
    },
    [client, realm],
  );
  useEffect(() => {
    for (const id of open) load(id, 0, null);
    for (const [key, { parent, unsubscribe }] of sources.current) {
      if (open.has(parent)) continue;
      unsubscribe();
      sources.current.delete(key);
    }
  }, [open, load]);
  useEffect(
    () => () => {
      for (const { unsubscribe } of sources.current.values()) unsubscribe();
      sources.current.clear();
    },
    [],
  );

  /** The lines below a group. */
  const below = (parent: string, depth: number): Row[] => {
    const loaded = pages.get(parent) ?? [];
    const last = loaded.at(-1)?.pageInfo;
    const groups = loaded.flatMap(({ nodes }) => nodes);
    const more = { key: `${parent} more`, depth, parent };
    return [
      ...rowsOf(groups, depth, parent),
      ...(last?.hasNextPage ? [{ ...more, loadMore: () => load(parent, loaded.length, last.endCursor) }] : []),
      ...(last ? [] : [more]),
    ];
  };
  /** The lines of groups, each followed by those below it if it is open. */
  const rowsOf = (groups: GroupRowFragment[], depth = 0, parent?: string): Row[] =>
    groups.flatMap((group) => [
      { key: group.id, depth, parent, group },
      ...(open.has(group.id) && group.childCount ? below(group.id, depth + 1) : []),
    ]);
  return rowsOf;
}
