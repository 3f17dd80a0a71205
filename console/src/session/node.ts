import type { AnyVariables } from 'urql';
import type { TypedDocument } from '../../../client/src/document.js';
import { type Loaded, useLoad } from './graphql.js';

interface Found {
  node?: object | null;
}

/** The object that data have found by its ID, of the type that the document asks for. */
export type NodeOf<Data extends Found> = Extract<NonNullable<Data['node']>, { id: string }>;

/** The object that was found by its ID, if it is of the type that the document asks for. */
export const nodeOf = <Node extends object>(node: Node | null | undefined) =>
  node && 'id' in node ? (node as Extract<Node, { id: string }>) : undefined;

/** An object that a screen shows: what was loaded with it, and how it is loaded again. */
export interface Shown<Node, Data = unknown> {
  loaded: Loaded<Data>;
  node: Node | undefined;
  /** resolves with the object as it is stored now */
  reload(): Promise<Node | undefined>;
}

/** What each tab of the screen of an object gets. */
export interface Part<Node> extends Pick<Shown<Node>, 'reload'> {
  node: Node;
}

/** Loads an object by its ID. */
export function useNode<Data extends Found, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Shown<NodeOf<Data>, Data> {
  const loaded = useLoad(document, variables);
  const nodeIn = (data: Data | undefined): NodeOf<Data> | undefined => nodeOf<NonNullable<Data['node']>>(data?.node);
  return { loaded, node: nodeIn(loaded.data), reload: async () => nodeIn(await loaded.reload()) };
}
