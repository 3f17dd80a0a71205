import type { DefinitionNode, GraphQLSchema } from 'graphql';

export function madePages(
  schema: GraphQLSchema,
  definitions: readonly DefinitionNode[],
  folder: string,
): DefinitionNode[];
