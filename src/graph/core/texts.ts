import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { isObject } from '../../services/core/json.js';
import { type Fault, Refusal } from '../../services/core/refusal.js';
import { mostOfLongText, mostOfText } from '../../services/core/shape.js';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      texts: TextsPlugin<Types>;
    }
  }
}

/** Extensions of an input field whose text is a document or a list. */
export const isLong = { extensions: { maxLength: mostOfLongText } } as const;
/** Extensions of an input field whose text is a file. Only the body limit applies to the text. */
export const isFile = { extensions: { maxLength: Number.POSITIVE_INFINITY } } as const;

interface Input {
  readonly type: GraphQLInputType;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Maximum characters of a text in an argument or input field. */
export const longestOf = ({ extensions }: Pick<Input, 'extensions'>): number =>
  typeof extensions.maxLength === 'number' ? extensions.maxLength : mostOfText;

/** Checks a value of an input field. Returns the fault, in words that follow the name of the field. */
type Check = (value: unknown) => string | undefined;

/** Extensions of an input field whose numbers have limits. */
export const within = (least: number, most = Number.POSITIVE_INFINITY) => ({
  extensions: {
    check: (value: unknown): string | undefined => {
      if (typeof value !== 'number' || (value >= least && value <= most)) return undefined;
      const limits = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `from ${least} to ${most}`;
      return `must be ${limits}, got ${value}`;
    },
  },
});

const origin = /^(?:[+*]|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/i;

/** Extensions of an input field with origins of web pages. */
export const isOrigin = {
  extensions: {
    check: (value: unknown): string | undefined =>
      typeof value === 'string' && !origin.test(value)
        ? 'must be an origin such as `https://app.example.com`, `+`, or `*`'
        : undefined,
  },
} as const;

const checkOf = ({ extensions }: Pick<Input, 'extensions'>): Check | undefined =>
  typeof extensions.check === 'function' ? (extensions.check as Check) : undefined;

/**
 * The faults of a value of a type: texts that are longer than `most` characters, and the faults that `check` returns. A
 * JSON value is checked by its operation.
 */
function faultsIn(
  value: unknown,
  type: GraphQLInputType,
  most: number,
  path: readonly string[],
  check?: Check,
): Fault[] {
  if (isNonNullType(type)) return faultsIn(value, type.ofType, most, path, check);
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [];
    return items.flatMap((item, at) => faultsIn(item, type.ofType, most, [...path, String(at)], check));
  }
  if (isInputObjectType(type)) {
    if (!isObject(value)) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const own = value[field.name];
      return own == null ? [] : faultsIn(own, field.type, longestOf(field), [...path, field.name], checkOf(field));
    });
  }
  if (type.name !== 'JSON' && typeof value === 'string' && value.length > most)
    return [{ path, message: `Must be at most ${most} characters`, isBare: true }];
  const fault = check?.(value);
  return fault === undefined ? [] : [{ path, message: `\`${path.join('.')}\` ${fault}` }];
}

/**
 * Refuses arguments with a text or number beyond the limits of its field. Paths are relative to `below`. Throws
 * `invalid`.
 */
export function requireLimits({ parentType, fieldName }: GraphQLResolveInfo, args: object, below?: string): void {
  const declared = parentType.getFields()[fieldName]?.args ?? [];
  const values: Readonly<Record<string, unknown>> = { ...args };
  const faults = declared.flatMap((one) =>
    faultsIn(values[one.name], one.type, longestOf(one), one.name === below ? [] : [one.name]),
  );
  const [first] = faults;
  if (!first) return;
  const field = first.path?.join('.') ?? '';
  throw new Refusal('invalid', first.isBare ? `${field}: ${first.message}` : first.message, { field, faults });
}

/** Refuses too long texts in the arguments of all fields except mutations, which report them as user errors. */
class TextsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (config.kind === 'Mutation' || Object.keys(config.args).length === 0) return resolver;
    return (parent, args, ctx, info) => {
      requireLimits(info, args);
      return resolver(parent, args, ctx, info);
    };
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    if (!subscribe || Object.keys(config.args).length === 0) return subscribe;
    return (parent, args, ctx, info) => {
      requireLimits(info, args);
      return subscribe(parent, args, ctx, info);
    };
  }
}

SchemaBuilder.registerPlugin('texts', TextsPlugin);
