import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../services/core/context.js';
import { type Pace, paceOf } from '../../services/core/pace.js';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      paced: PacedPlugin<Types>;
    }
  }
}

/** Yields the rows of a list, each when its turn comes. */
function* inTurn(rows: Iterable<unknown>, pace: Pace): Iterable<unknown> {
  for (const row of rows) yield pace.turn()?.then(() => row) ?? row;
}

const isList = (value: unknown): value is Iterable<unknown> => Array.isArray(value) && value.length > 1;

/** Returns lists of objects with breaks between the objects, so that long ones do not make others wait. */
class PacedPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (type.kind !== 'List' || type.type.kind === 'Scalar' || type.type.kind === 'Enum') return resolver;
    return (parent, args, ctx, info) => {
      const paced = (rows: unknown) => (isList(rows) ? inTurn(rows, paceOf(ctx as Context)) : rows);
      const rows = resolver(parent, args, ctx, info);
      return rows instanceof Promise ? rows.then(paced) : paced(rows);
    };
  }
}

SchemaBuilder.registerPlugin('paced', PacedPlugin);
