import { z } from 'zod';
import { invalid, Refusal } from './refusal.js';

/** The typed input that a shape decodes to. */
export type Input<S extends z.ZodType> = z.output<S>;

type Fields = Record<string, z.ZodType>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null counts as "not given" everywhere in the contract, so it never reaches an operation. */
function withoutNulls(value: unknown, context?: z.RefinementCtx): unknown {
  if (!isObject(value)) return value;
  // zod leaves this key out without a word
  if (Object.hasOwn(value, '__proto__')) {
    context?.addIssue({ code: 'custom', path: ['__proto__'], message: 'The key `__proto__` is not allowed' });
    return z.NEVER;
  }
  for (const key in value) {
    if (value[key] === null) return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
  }
  return value;
}

const scalarText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

function scalarFlag(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'number' && Number.isInteger(value) ? value !== 0 : value;
}

function scalarNumber(value: unknown): unknown {
  if (typeof value === 'string' && /^-?\d+$/.test(value.trim())) return Number(value);
  return typeof value === 'number' ? Math.trunc(value) : value;
}

/** What one value of an attribute map becomes: a list of texts, whatever was sent. */
function lenientTexts(value: unknown): unknown {
  const items = Array.isArray(value) ? value : [value];
  return items
    .filter((item) => item !== null)
    .map((item) => (isObject(item) ? JSON.stringify(item) : scalarText(item)));
}

/** An empty list stands for an empty map. */
const mapEntries = (value: unknown, context: z.RefinementCtx): unknown =>
  Array.isArray(value) && value.length === 0 ? {} : withoutNulls(value, context);

/** A string that both databases can hold: without NUL and without halves of surrogate pairs. */
export const storable = z
  .string()
  .refine((value) => !/[\0\p{Surrogate}]/u.test(value), 'It has characters that cannot be stored');

/** A string; numbers and booleans are converted, as the reference server does. */
export const text = z.preprocess(scalarText, storable);
/** A boolean; "true", "false" and integers are converted. */
export const flag = z.preprocess(scalarFlag, z.boolean());
/** A 32-bit integer; texts of digits are converted and fractions cut off. */
export const int = z.preprocess(scalarNumber, z.int32());
/** A 64-bit integer that JavaScript can hold exactly. */
export const long = z.preprocess(scalarNumber, z.int());
/** Any JSON value. Zod's own has no name that the OpenAPI document could refer to. */
export const json: z.ZodType<z.core.util.JSONType> = z
  .lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]))
  .meta({ id: 'JsonValue' });
/** A list of strings. */
export const texts = z.array(text);
/** A map of strings. An empty list stands for an empty map. */
export const map = z.preprocess(mapEntries, z.record(storable, text));
/** A map of lists of strings, as strict as the representations of roles and groups. */
export const listmap = z.preprocess(mapEntries, z.record(storable, texts));
/** A map of lists of strings in which single values stand for lists of one. */
export const multimap = z.preprocess(mapEntries, z.record(storable, z.preprocess(lenientTexts, z.array(storable))));

/** A list of a shape. */
export const list = <S extends z.ZodType>(item: S) => z.array(item);
/** A map with string keys to a shape. */
export const record = <S extends z.ZodType>(item: S) => z.preprocess(withoutNulls, z.record(storable, item));

/**
 * A resource of the contract: every field is optional, null counts as missing, unknown fields are refused unless the
 * contract ignores them. The name is that of the documents; it names the schema in the OpenAPI document.
 */
export function representation<F extends Fields>(name: string, fields: F, unknown: 'refused' | 'ignored' = 'refused') {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.optional()]));
  const declared = shape as { [K in keyof F]: z.ZodOptional<F[K]> };
  const object = unknown === 'ignored' ? z.object(declared) : z.strictObject(declared);
  return z.preprocess(withoutNulls, object).meta({ id: name });
}

/** Name of a shape in the documents, or undefined for an anonymous one. */
export const shapeName = (shape: z.ZodType): string | undefined => shape.meta()?.id;

/**
 * Decodes what a caller sent. Throws a refusal that names the first field at fault:
 * `unknownField` for a field that the shape does not have, otherwise `invalid`.
 */
export function decode<S extends z.ZodType>(shape: S, value: unknown): Input<S> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const field = path ? `${path}.${key}` : key;
    throw new Refusal(
      'unknownField',
      `Unrecognized field "${key}" (class ${shapeName(shape) ?? 'Input'}), not marked as ignorable`,
      {
        field,
      },
    );
  }
  const message = issue?.message ?? 'Invalid input';
  throw invalid(path ? `${path}: ${message}` : message, path || undefined);
}
