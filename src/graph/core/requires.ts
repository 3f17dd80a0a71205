import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../services/core/context.js';
import { forbidden } from '../../services/core/refusal.js';
import { demandedOf, demandsOf, type Requirement, type Requires, requirementsOf, requirementText } from './demand.js';
import { isAllowed, subjectOf } from './node.js';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      requires: RequiresPlugin<Types>;
    }
    // the parameters must match the interface that this extends
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** Operations whose permissions the field requires. The schema states them, and they are checked before it is resolved. */
      requires?: Requires<ParentShape>;
    }
  }
}

/** The requirements of the field with these extensions. */
export const requirementsIn = (extensions: Readonly<Record<string, unknown>>): readonly Requirement[] =>
  (extensions.requires as readonly Requirement[] | undefined) ?? [];

/** Checks the `requires` of fields, and states it: in extensions for the directive, and at the end of descriptions. */
class RequiresPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { requires } = config.pothosOptions;
    if (!requires) return config;
    const requirements = requirementsOf(requires);
    const description = `${config.description ?? ''} ${requirementText(requirements)}`.trim();
    return { ...config, description, extensions: { ...config.extensions, requires: requirements } };
  }

  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const { requires } = config.pothosOptions;
    const demands = requires ? demandsOf<unknown>(requires).filter(({ isChecked }) => !isChecked) : [];
    if (demands.length === 0) return resolver;
    return async (parent, args, ctx, info) => {
      for (const demand of demands) {
        const { realmId, about } = subjectOf(config.parentType, parent);
        const permission = demandedOf(demand, parent);
        if (await isAllowed(ctx as Context, realmId, permission, demand.byRolesAlone ? undefined : about)) continue;
        if (demand.otherwise === 'NULL') return null;
        throw forbidden(undefined, { permission });
      }
      return resolver(parent, args, ctx, info);
    };
  }
}

SchemaBuilder.registerPlugin('requires', RequiresPlugin);
