/** The object that was found by its ID, if it is of the type that the document asks for. */
export const nodeOf = <Node extends object>(node: Node | null | undefined) =>
  node && 'id' in node ? (node as Extract<Node, { id: string }>) : undefined;
