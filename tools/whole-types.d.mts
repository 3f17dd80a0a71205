import type { DefinitionNode, GraphQLSchema } from 'graphql';

export function wholeTypes(schema: GraphQLSchema, definitions: readonly DefinitionNode[]): DefinitionNode[];
