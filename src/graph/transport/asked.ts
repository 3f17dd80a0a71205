import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type FragmentSpreadNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  visit,
} from 'graphql';

type Asked = Pick<ExecutionArgs, 'document' | 'operationName'>;

/** The operation of a document that a request names, or the first one. */
export const operationOf = (
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined =>
  document.definitions.find(
    (node): node is OperationDefinitionNode =>
      node.kind === 'OperationDefinition' && (name == null || node.name?.value === name),
  );

/** Returns the executed operation of a request's document, without the parts that `@include` and `@skip` exclude. */
export function executedDocument(
  { document, operationName }: Asked,
  coerced: Readonly<Record<string, unknown>>,
): DocumentNode {
  const operation = operationOf(document, operationName);
  if (!operation) return document;
  const others = document.definitions.filter((node) => node.kind !== 'OperationDefinition');
  const asked: DocumentNode = { ...document, definitions: [operation, ...others] };
  if (!isConditional(document)) return asked;
  const unlessLeftOut = (node: FieldNode | FragmentSpreadNode | InlineFragmentNode): null | undefined => {
    const isSkipped = getDirectiveValues(GraphQLSkipDirective, node, coerced)?.if === true;
    const isLeftOut = isSkipped || getDirectiveValues(GraphQLIncludeDirective, node, coerced)?.if === false;
    return isLeftOut ? null : undefined;
  };
  return visit(asked, { Field: unlessLeftOut, FragmentSpread: unlessLeftOut, InlineFragment: unlessLeftOut });
}

/** Documents of requests are parsed once and cached, so most are known here. */
const conditional = new WeakMap<DocumentNode, boolean>();

/** Whether values of variables can leave something out of a document. */
function isConditional(document: DocumentNode): boolean {
  const known = conditional.get(document);
  if (known !== undefined) return known;
  let found = false;
  visit(document, {
    Directive({ name: { value } }) {
      found = value === GraphQLIncludeDirective.name || value === GraphQLSkipDirective.name;
      return found ? BREAK : undefined;
    },
  });
  conditional.set(document, found);
  return found;
}
