import type { DefinitionNode, GraphQLSchema } from 'graphql';

export function madeFragments(
  schema: GraphQLSchema,
  definitions: readonly DefinitionNode[],
  sources: string,
): DefinitionNode[];
export function sourcesOf(folder: string): string;
/** Whether a file of a folder is a source, and not generated. */
export function isSource(name: string): boolean;
