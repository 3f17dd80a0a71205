interface Edges<Node> {
  edges: readonly { node: Node }[];
}

/** The objects of a connection. None if the caller may not view it. */
export const nodesOf = <Node>(connection: Edges<Node> | null | undefined): Node[] =>
  connection?.edges.map(({ node }) => node) ?? [];

/** The object that was found by its ID, if it is of the type that the document asks for. */
export const nodeOf = <Node extends object>(node: Node | null | undefined) =>
  node && 'id' in node ? (node as Extract<Node, { id: string }>) : undefined;
