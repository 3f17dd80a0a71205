import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import { datamodelWithComputed } from '../../database/model.js';
import type PrismaTypes from '../../generated/pothos.js';
import type { Context } from '../../services/core/context.js';
import { batchingClient } from './batching.js';
import { defaultPageSize, limits } from './limits.js';
import { resolveNode } from './node.js';
import type { UploadedFile } from './uploaded-file.js';

export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    Upload: { Input: UploadedFile; Output: never };
  };
}>({
  plugins: [ComplexityPlugin, RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    // the delegates of the service core: Prisma's types, one statement each
    client: batchingClient,
    dmmf: datamodelWithComputed(),
    onUnusedQuery: null,
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    idFieldOptions: { description: 'Id that no other object has, of whatever type.' },
    nodeTypeOptions: { description: 'Anything that can be fetched by its id.' },
    pageInfoTypeOptions: { description: 'Where a page lies in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more follows.' },
    hasPreviousPageFieldOptions: { description: 'Whether more comes before.' },
    startCursorFieldOptions: { description: 'Cursor of the first thing on the page.' },
    endCursorFieldOptions: { description: 'Cursor of the last thing on the page.' },
    nodeQueryOptions: {
      args: { id: { description: 'The id, as the object told it.' } },
      description: 'Any object by its id. Null when it is not there or the caller may not see it.',
      nullable: true,
      resolve: (_root, { id }, ctx, _info, resolve) => resolveNode(ctx, id, resolve),
    },
    nodesQueryOptions: false,
  },
  complexity: {
    limit: { complexity: limits.complexity, depth: limits.depth, breadth: limits.breadth },
    defaultComplexity: 1,
    defaultListMultiplier: defaultPageSize,
  },
});

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({ description: 'Everything that can be changed. Root fields run one after the other.' });

builder.scalarType('DateTime', {
  description: 'A point in time, RFC 3339 in UTC, to the millisecond.',
  serialize: (value) => value.toISOString(),
  parseValue(value) {
    const date = new Date(String(value));
    // only an error of GraphQL is the caller's mistake
    if (Number.isNaN(date.getTime())) throw new GraphQLError('A point in time is written like 2026-01-31T12:00:00Z');
    return date;
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
});
