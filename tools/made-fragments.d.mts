import type { DefinitionNode, GraphQLSchema } from 'graphql';

export function madeFragments(
  schema: GraphQLSchema,
  definitions: readonly DefinitionNode[],
  sources: string,
): DefinitionNode[];
export function sourcesOf(folder: string): string;
