import type { InterfaceRef, ObjectRef } from '@pothos/core';
import { type BuilderTypes, builder } from './builder.js';
import { defaultPageSize, maxPageSize } from './limits.js';
import type { Page } from './page.js';

type Row = Record<string, unknown>;

interface Edge<N> {
  cursor: string;
  node: N;
  /** further fields of the edge */
  flags?: Readonly<Record<string, boolean>>;
}

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export interface ConnectionValue<N> {
  edges: Edge<N>[];
  pageInfo: PageInfo;
  totalCount: () => Promise<number>;
}

const PageInfoRef = builder.pageInfoRef();

const Connection = builder.interfaceRef<ConnectionValue<unknown>>('Connection').implement({
  description: 'Fields that every connection has, for a fragment that serves all lists.',
  fields: (t) => ({
    pageInfo: t.field({
      type: PageInfoRef,
      description: 'Cursors of the page and whether there are more items.',
      resolve: ({ pageInfo }) => pageInfo,
    }),
    totalCount: t.int({
      description: 'Number of items in the whole list. Counted only if requested.',
      resolve: (parent) => parent.totalCount(),
    }),
  }),
});

/** The paths from a connection to its nodes: a list reads the selections at the end of both paths. */
export const nodePaths = [['nodes'], ['edges', 'node']];

/** Fields of the edges of a connection besides cursor and node, each a boolean with its description. */
type EdgeFlags = Record<string, string>;

/**
 * The connection and edge types of a node type, e.g. `UserConnection` and `UserEdge`. If edges have further fields, the
 * connection has another name than its node type.
 */
export function connectionType<N>(
  name: string,
  type: ObjectRef<BuilderTypes, N> | InterfaceRef<BuilderTypes, N>,
  flags: EdgeFlags = {},
) {
  const edge = builder.objectRef<Edge<N>>(`${name}Edge`).implement({
    description: `An item of \`${name}Connection\`: an object of type \`${type.name}\` with its cursor.`,
    fields: (t) => ({
      ...Object.fromEntries(
        Object.entries(flags).map(([flag, description]) => [
          flag,
          t.boolean({ description, resolve: (parent) => parent.flags?.[flag] === true }),
        ]),
      ),
      cursor: t.string({
        description: 'Cursor of the item. Pass it as `after` or `before`.',
        resolve: ({ cursor }) => cursor,
      }),
      node: t.field({
        type,
        description: `The object of type \`${type.name}\`.`,
        // Pothos resolves lists differently, and cannot tell that a type variable is not a list
        resolve: ({ node }) => node as never,
      }),
    }),
  });
  const connection = builder.objectRef<ConnectionValue<N>>(`${name}Connection`).implement({
    description: `A page of objects of type \`${type.name}\`.`,
    interfaces: [Connection],
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'Items on this page, with their cursors.',
        complexity: { field: 0, multiplier: 1 },
        resolve: (parent) => parent.edges,
      }),
      nodes: t.field({
        type: [type],
        description: 'Items on this page, without their cursors: `node` of each of `edges`.',
        // the cost of the field `node` of each edge, times the page size by which the list is multiplied
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ edges }) => edges.map(({ node }) => node),
      }),
    }),
  });
  return Object.assign(connection, { nodeTypeName: type.name });
}

/** The type of a connection, as far as lists of any type use it. */
export type ConnectionType = ObjectRef<BuilderTypes, object> & { readonly nodeTypeName: string };

/** The paths at which a query selects fields of the nodes of a connection, for Pothos. */
export const selectionOfNodes = ({ nodeTypeName }: ConnectionType) => ({
  getType: () => nodeTypeName,
  paths: nodePaths.map((path) => path.map((name) => ({ name }))),
});

/** `first`, `after`, `last` and `before`. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `Number of items to return, from the start or after \`after\`. Default ${defaultPageSize}, maximum ${maxPageSize}.`,
  }),
  after: t.string({ description: 'Returns items after this cursor.' }),
  last: t.int({ description: `Number of items to return, from the end or before \`before\`. Maximum ${maxPageSize}.` }),
  before: t.string({ description: 'Returns items before this cursor. Requires `last`.' }),
}));

/** The rows of a page as a connection. */
export const connectionOf = <R extends Row, N>(
  page: Page,
  found: R[],
  toNode: (row: R) => N,
  totalCount: () => Promise<number>,
  flagsOf?: (row: Row) => Readonly<Record<string, boolean>>,
): ConnectionValue<N> => {
  const { rows, hasNextPage, hasPreviousPage } = page.finish(found);
  const edges = rows.map((row) => ({
    cursor: page.cursorOf(row),
    node: toNode(row),
    ...(flagsOf && { flags: flagsOf(row) }),
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  };
};

/** An empty connection. */
export const noRows = <N>(): ConnectionValue<N> => ({
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  totalCount: async () => 0,
});
