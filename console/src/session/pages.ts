import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, useClient } from 'urql';
import type { TypedDocument } from '../../../client/src/document.js';
import type { Loaded } from './graphql.js';
import { createKept } from './kept.js';

/** A connection of a page, as the API has it. */
export interface Connection<Node> {
  /** of the first page */
  totalCount?: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: Node[];
}

/** A list that was loaded page by page. `data` is that of the first page. */
export interface Pages<Data, Node> extends Loaded<Data> {
  nodes: Node[];
  /** how many there are in all; undefined until it is known */
  total: number | undefined;
  hasMore: boolean;
  loadMore(): void;
}

interface State<Data> {
  key: string;
  cursors: (string | null)[];
  pages: (Data | undefined)[];
  error: CombinedError | undefined;
  isLoading: boolean;
}

/** Rows of the first page, which is to be there soon, and of each further one. */
const firstSize = 50;
const furtherSize = 200;

/**
 * Loads a list page by page behind the last cursor, and again after a mutation that has returned one of its types. After Back, as many
 * pages are loaded as there were. The document takes
 * `$first`, `$after`, and `$isFirst`, by which it asks for totals with the first page only.
 */
export function usePages<Data, Node, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables & { first: number; after?: string | null; isFirst: boolean }>,
  variables: Variables,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
): Pages<Data, Node> {
  const client = useClient();
  const key = JSON.stringify(variables);
  const query = document.toString();
  const [kept, keep] = useKeptCursors(`${query} ${key}`);
  const [state, setState] = useState<State<Data>>(() => emptyState(key, kept));
  // pages of other variables are shown until the first page of these is there
  const cursors = state.key === key ? state.cursors : firstCursor;
  useEffect(() => keep(cursors), [keep, cursors]);

  const sources = useRef(new Map<string | null, { unsubscribe(): void }>());
  const [round, setRound] = useState(0);

  // the key stands for the variables, which are a new object each time
  useEffect(
    () => () => {
      for (const source of sources.current.values()) source.unsubscribe();
      sources.current.clear();
    },
    [client, query, key, round],
  );

  // each page is asked for once: it stays subscribed while further ones come
  useEffect(() => {
    setState((before) => (before.key === key ? before : { ...before, isLoading: true }));
    for (const [at, after] of cursors.entries()) {
      if (sources.current.has(after)) continue;
      const page = client.query<Data>(query, {
        ...variables,
        first: at === 0 ? firstSize : furtherSize,
        after,
        isFirst: at === 0,
      } as AnyVariables);
      const source = page.subscribe(({ data, error, stale }) =>
        setState((before) => {
          const isSame = before.key === key;
          const pages = isSame ? [...before.pages] : [];
          if (data || !error) pages[at] = data;
          return {
            key,
            cursors: isSame ? before.cursors : cursors,
            pages,
            error: error ?? (at === 0 ? undefined : before.error),
            isLoading: stale,
          };
        }),
      );
      sources.current.set(after, source);
    }
  }, [client, query, key, cursors, round]);

  const connections = state.pages.map((page) => (page ? connectionOf(page) : undefined));
  const last = connections.length === cursors.length ? connections.at(-1) : undefined;
  const next = last?.pageInfo.hasNextPage ? last.pageInfo.endCursor : null;
  const loadMore = useCallback(() => {
    if (next === null) return;
    setState((before) => ({ ...before, isLoading: true, cursors: [...new Set([...before.cursors, next])] }));
  }, [next]);
  // after Back, several pages are on their way
  const isIncomplete = !state.error && cursors.some((_, at) => state.pages[at] === undefined);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return {
    data: state.pages[0],
    error: state.error,
    isLoading: state.isLoading || state.key !== key || isIncomplete,
    nodes: connections.flatMap((connection) => connection?.nodes ?? []),
    total: connections[0]?.totalCount,
    hasMore: next !== null,
    loadMore,
    reload,
    operation: { document: query, variables: { ...variables, first: firstSize, isFirst: true } },
  };
}

/** A list that was loaded with the object that has it, in the form of pages. */
export const wholeList = <Node>(nodes: readonly Node[], reload: () => unknown): Pages<readonly Node[], Node> =>
  asPages(
    { data: nodes, error: undefined, isLoading: false, reload, operation: { document: '', variables: {} } },
    nodes,
  );

/** Two lists that are shown as one: the second follows once the first is loaded. */
export const joinPages = <Node>(first: Pages<unknown, Node>, second: Pages<unknown, Node>): Pages<unknown, Node> => ({
  ...first,
  error: first.error ?? second.error,
  isLoading: first.isLoading || second.isLoading,
  nodes: first.hasMore ? first.nodes : [...first.nodes, ...second.nodes],
  total: first.total === undefined || second.total === undefined ? undefined : first.total + second.total,
  hasMore: first.hasMore || second.hasMore,
  loadMore: first.hasMore ? first.loadMore : second.loadMore,
  reload: () => {
    first.reload();
    second.reload();
  },
});

const firstCursor: (string | null)[] = [null];

const useKeptCursors = createKept<(string | null)[]>();

const emptyState = <Data>(key: string, cursors = firstCursor): State<Data> => ({
  key,
  cursors,
  pages: [],
  error: undefined,
  isLoading: true,
});

/** A list that the API answers as a whole, in the form of pages. */
export const asPages = <Data, Node>(
  loaded: Loaded<Data>,
  nodes: readonly Node[] | null | undefined,
): Pages<Data, Node> => ({
  ...loaded,
  nodes: [...(nodes ?? [])],
  total: nodes?.length,
  hasMore: false,
  loadMore: () => undefined,
});
