import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import { datamodelWithComputed } from '../../database/model.js';
import type PrismaTypes from '../../generated/pothos.js';
import type { Context } from '../../services/core/context.js';
import { batchingClient } from './batching.js';
import { defaultPageSize } from './limits.js';
import './paced.js';
import './requires.js';
import './texts.js';
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
  // texts are checked first, and `requires` comes before the plugin that reads selected fields: nothing is read for a
  // caller without permission
  plugins: [ComplexityPlugin, 'paced', 'texts', 'requires', RelayPlugin, PrismaPlugin],
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
    idFieldOptions: { description: 'Globally unique ID of the object, for `node` and for inputs.' },
    nodeTypeOptions: { description: 'An object that `node` can fetch by its ID.' },
    pageInfoTypeOptions: { description: 'Position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'Whether the list has more items after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list has more items before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first item on the page. Null for an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last item on the page. Null for an empty page.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  complexity: {
    // the limit is applied to the request as a whole, before it is executed
    defaultComplexity: 1,
    defaultListMultiplier: defaultPageSize,
  },
});

builder.queryType({ description: 'All read operations.' });
builder.mutationType({ description: 'All write operations. Root fields of one request run in order.' });

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  description: 'Date and time in UTC as defined by RFC 3339, with milliseconds, e.g. `2026-01-31T12:00:00.000Z`.',
  serialize: (value) => value.toISOString(),
  parseValue(value) {
    const date = new Date(String(value));
    // only an error of GraphQL is the caller's mistake
    if (Number.isNaN(date.getTime())) throw new GraphQLError('A DateTime must be written as in 2026-01-31T12:00:00Z');
    return date;
  },
});

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

/** The types that the schema builder works with. */
export type BuilderTypes = (typeof builder)['$inferSchemaTypes'];
