import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Context } from '../../services/core/context.js';
import { isObject } from '../../services/core/json.js';
import { limits } from '../core/limits.js';
import { codeOf } from '../core/user-errors.js';
import { executedDocument, operationOf } from './asked.js';

/** The maximum cost of a request, known before it is executed. */
export interface Cost {
  /** fields that may be computed, lists counted with their page size */
  requested: number;
  depth: number;
  breadth: number;
  limits: typeof limits;
}

/** The variables as they were sent, with the default values of the others. Enums have their names, as both costs coerce arguments again. */
function givenVariables({ document, operationName, variableValues }: ExecutionArgs): Record<string, unknown> {
  const given: Record<string, unknown> = variableValues ?? {};
  const definitions = operationOf(document, operationName)?.variableDefinitions ?? [];
  const defaults = definitions.flatMap(({ variable: { name }, defaultValue }) =>
    defaultValue && given[name.value] === undefined ? [[name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  return defaults.length === 0 ? given : { ...given, ...Object.fromEntries(defaults) };
}

/** The cost of a request with these coerced variables, before it is executed. */
export function costOf(args: ExecutionArgs, ctx: Context, coerced: Readonly<Record<string, unknown>>): Cost {
  const { complexity, depth, breadth } = complexityFromQuery(executedDocument(args, coerced), {
    schema: args.schema,
    variables: givenVariables(args),
    ctx,
  });
  return { requested: complexity, depth, breadth, limits };
}

/** The error of a request over a limit; undefined for others. */
export function overLimit(cost: Cost): GraphQLError | undefined {
  for (const name of ['requested', 'depth', 'breadth'] as const) {
    if (cost[name] <= limits[name]) continue;
    const shown = name === 'requested' ? 'cost' : name;
    return new GraphQLError(`The ${shown} of this request is ${cost[name]}; the limit is ${limits[name]}`, {
      extensions: { code: codeOf('tooCostly') },
    });
  }
  return undefined;
}

interface Selected {
  field: GraphQLField<unknown, unknown>;
  cost: number;
  selections: SelectionSetNode[];
}

/** The cost of an answer: like `requested`, but each field counts once per object in the answer. */
export function actualCost(asked: ExecutionArgs, data: unknown): number {
  const args = { ...asked, variableValues: givenVariables(asked) };
  const operation = operationOf(args.document, args.operationName);
  if (!operation) return 0;
  const fragments = new Map(
    args.document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map((node) => [node.name.value, node]),
  );
  const known = new Map<SelectionSetNode, Map<string, Selected>>();

  /** The fields of a selection by their keys in the answer, in fragments on every type. */
  const selectedIn = (set: SelectionSetNode, typeName: string): Map<string, Selected> => {
    const before = known.get(set);
    if (before) return before;
    const fields = new Map<string, Selected>();
    known.set(set, fields);
    for (const node of set.selections) {
      if (node.kind === 'Field') addField(fields, node, typeName);
      else {
        const fragment = node.kind === 'InlineFragment' ? node : fragments.get(node.name.value);
        if (!fragment) continue;
        const condition = fragment.typeCondition?.name.value ?? typeName;
        for (const [key, inner] of selectedIn(fragment.selectionSet, condition)) join(fields, key, inner);
      }
    }
    return fields;
  };
  const addField = (fields: Map<string, Selected>, node: FieldNode, typeName: string): void => {
    const type = args.schema.getType(typeName);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return;
    const selections = node.selectionSet ? [node.selectionSet] : [];
    join(fields, node.alias?.value ?? node.name.value, { field, cost: ownCost(field, node, args), selections });
  };
  const ofObject = (value: Record<string, unknown>, sets: SelectionSetNode[], typeName: string): number => {
    let sum = 0;
    const counted = new Set<string>();
    for (const set of sets) {
      for (const [key, { field, cost, selections }] of selectedIn(set, typeName)) {
        if (!(key in value)) continue;
        if (!counted.has(key)) sum += cost;
        counted.add(key);
        sum += ofValue(value[key], selections, getNamedType(field.type).name);
      }
    }
    return sum;
  };
  const ofValue = (value: unknown, sets: SelectionSetNode[], typeName: string): number => {
    if (sets.length === 0) return 0;
    if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + ofValue(one, sets, typeName), 0);
    return isObject(value) ? ofObject(value, sets, typeName) : 0;
  };
  const root = args.schema.getRootType(operation.operation);
  return root ? ofValue(data, [operation.selectionSet], root.name) : 0;
}

function join(fields: Map<string, Selected>, key: string, added: Selected): void {
  const before = fields.get(key);
  if (!before) {
    fields.set(key, { ...added, selections: [...added.selections] });
    return;
  }
  before.cost = Math.max(before.cost, added.cost);
  for (const set of added.selections) if (!before.selections.includes(set)) before.selections.push(set);
}

/** The cost of a field without its selection. */
function ownCost(field: GraphQLField<unknown, unknown>, node: FieldNode, args: ExecutionArgs): number {
  const declared = field.extensions.complexity as Complexity | ((...of: unknown[]) => Complexity) | undefined;
  const option =
    typeof declared === 'function'
      ? declared(getArgumentValues(field, node, args.variableValues ?? {}), args.contextValue, field)
      : declared;
  return (typeof option === 'number' ? option : option?.field) ?? 1;
}

/** The option `complexity` of a field. */
type Complexity = number | { field?: number; multiplier?: number };
