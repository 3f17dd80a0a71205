import { z } from 'zod';
import { limit } from '../../config/limits.js';
import { isObject } from './json.js';
import { type Fault, invalid, Refusal } from './refusal.js';

/** The typed input that a shape decodes to. */
export type Input<S extends z.ZodType> = z.output<S>;

type Fields = Record<string, z.ZodType>;

/** Shapes of switches and numbers: an empty text in their place counts as null. */
const scalars = new WeakSet<z.ZodType>();
const scalar = <S extends z.ZodType>(shape: S): S => {
  scalars.add(shape);
  return shape;
};

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/**
 * Null counts as "not given" everywhere in the contract, and so does an empty text for a switch or a number; neither
 * reaches an operation.
 */
function withoutNulls(
  value: unknown,
  context?: z.RefinementCtx,
  isScalar: (key: string) => boolean = () => false,
): unknown {
  if (!isObject(value)) return value;
  // zod leaves this key out without notice
  if (Object.hasOwn(value, '__proto__')) {
    context?.addIssue({ code: 'custom', path: ['__proto__'], message: 'The key `__proto__` is not allowed' });
    return z.NEVER;
  }
  const isGiven = (key: string): boolean => value[key] !== null && !(isBlank(value[key]) && isScalar(key));
  for (const key in value) {
    if (!isGiven(key)) return Object.fromEntries(Object.entries(value).filter(([name]) => isGiven(name)));
  }
  return value;
}

const scalarText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

function scalarFlag(value: unknown): unknown {
  const word = typeof value === 'string' ? /^\s*(true|True|TRUE|false|False|FALSE)\s*$/.exec(value)?.[1] : undefined;
  if (word) return word.toLowerCase() === 'true';
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
  Array.isArray(value) && value.length === 0 ? {} : mapOf(value, context);

/** A map of a bounded number of entries, without those that are null. */
function mapOf(value: unknown, context: z.RefinementCtx): unknown {
  const counted = countedEntries(value, context);
  return counted === z.NEVER ? counted : withoutNulls(counted, context);
}

/** A string that both databases can hold: without NUL and without halves of surrogate pairs. */
export const storable = z
  .string()
  .refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'Must not contain characters that cannot be stored',
  );

const area = 'Texts, lists, and maps';
const mostOfName = limit(area, 'Name, description, and other short text; name of an entry of a map', 255, 'characters');
/** Most characters of a text without another limit. */
export const mostOfText = limit(area, 'Text of an input that has no other limit', 16_384, 'characters');
/** Most characters of a document. */
export const mostOfLongText = limit(
  area,
  'Text that is a document or a list: settings of policies, texts of a realm',
  524_288,
  'characters',
);

const upTo = (length: number, shape: z.ZodString) =>
  shape.refine((value) => value.length <= length, `Must be at most ${length} characters`).meta({ maxLength: length });

/** A string of at most `length` characters; numbers and booleans are converted, as the reference server does. */
export const textUpTo = (length: number) => z.preprocess(scalarText, upTo(length, storable));
/** A text of an input with the limit that all have unless they need another. */
export const text = textUpTo(mostOfText);
/** A text that is a document, or a list written as one. */
export const longText = textUpTo(mostOfLongText);
/** A document of another server. */
export const documentText = textUpTo(
  limit('Keys and files', 'Document that describes a client or an identity provider', 4_194_304, 'characters'),
);
/** A text that is answered and never sent. */
export const answeredText = z.preprocess(scalarText, storable);
/** A name, a description or a setting. */
export const shortText = textUpTo(mostOfName);
/** An id. */
export const idText = textUpTo(limit(area, 'ID that a caller chooses for a new object', 36, 'characters'));
/** The name of an entry of a map. */
export const entryName = upTo(mostOfName, storable);

/** Most entries of a list of texts or of a map: each of them costs time when it is read, stored and shown. */
export const mostEntries = limit(area, 'Entries of a list of texts, or of a map with all its lists', 10_000, 'entries');

const isTooLong = (length: number, most: number, context: z.RefinementCtx): boolean => {
  if (length <= most) return false;
  context.addIssue({ code: 'custom', message: `Must have at most ${most} entries, got ${length}` });
  return true;
};

/** A list of at most `most` items. They are counted first: none of a list that is too long is looked at. */
export const listUpTo = <S extends z.ZodType>(item: S, most = mostEntries) =>
  z.preprocess(
    (value, context) => (Array.isArray(value) && isTooLong(value.length, most, context) ? z.NEVER : value),
    z.array(item).max(most),
  );

const hasLongName = (value: object, context: z.RefinementCtx): boolean => {
  // the fault of a name has that name in its path
  if (!Object.keys(value).some((name) => name.length > mostOfName)) return false;
  context.addIssue({ code: 'custom', message: `Names must be at most ${mostOfName} characters` });
  return true;
};

/** The value; refuses a map with names that are too long, with too many names, or with too many values in the lists of all its names together. */
export function countedEntries(value: unknown, context: z.RefinementCtx): unknown {
  if (!isObject(value)) return value;
  const entries = Object.values(value);
  if (hasLongName(value, context)) return z.NEVER;
  const count = entries.reduce<number>((sum, entry) => sum + (Array.isArray(entry) ? Math.max(1, entry.length) : 1), 0);
  return isTooLong(count, mostEntries, context) ? z.NEVER : value;
}

/** A list of short texts. */
export const shortTexts = listUpTo(shortText);
/** A boolean; "true", "True", "TRUE", their opposites and integers are converted. */
export const flag = scalar(z.preprocess(scalarFlag, z.boolean()));
/** A boolean that is never null: an empty text is false. */
export const plainFlag = z.preprocess((value) => (isBlank(value) ? false : scalarFlag(value)), z.boolean());
/** A 32-bit integer; texts of digits are converted and fractions cut off. */
export const int = scalar(z.preprocess(scalarNumber, z.int32()));
/** A 32-bit integer that is not negative. */
export const count = scalar(z.preprocess(scalarNumber, z.int32().min(0)));
/** A 32-bit integer that is never null: an empty text is 0. */
export const plainInt = z.preprocess((value) => (isBlank(value) ? 0 : scalarNumber(value)), z.int32());
/** A 64-bit integer that JavaScript can hold exactly. */
export const long = scalar(z.preprocess(scalarNumber, z.int()));
/** The shape with further metadata, which the OpenAPI document has. */
const withMeta = <S extends z.ZodType>(shape: S, meta: z.core.GlobalMeta): S => {
  const marked = shape.meta(meta);
  return scalars.has(shape) ? scalar(marked) : marked;
};
/** A field of older versions: it is read and never answered. */
export const older = <S extends z.ZodType>(shape: S): S => withMeta(shape, { deprecated: true });
/** A shape with a description of what its values mean. */
export const described = <S extends z.ZodType>(shape: S, description: string): S => withMeta(shape, { description });
/** A field of older versions that nothing is made of. */
export const ignored = older(z.unknown());
/** Any JSON value. Zod's own has no name that the OpenAPI document could refer to. */
export const json: z.ZodType<z.core.util.JSONType> = z
  .lazy(() =>
    z.union([
      upTo(mostOfText, z.string()),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(json),
      z.record(entryName, json),
    ]),
  )
  .meta({ id: 'JsonValue' });
/** A list of strings. */
export const texts = listUpTo(text);
/** A list of at most `most` strings. */
export const textsUpTo = (most: number) => listUpTo(text, most);
/** A map of values of a shape. */
const mapWith = <S extends z.ZodType>(value: S) => z.preprocess(mapOf, z.record(entryName, value));
/** A map of strings. */
export const map = mapWith(text);
/** A map of strings of at most `length` characters. */
export const mapUpTo = (length: number) => mapWith(textUpTo(length));
/** A map of texts that are documents, or lists written as such. */
export const longMap = mapWith(longText);
/** A map of lists of strings, as strict as the representations of roles and groups. */
export const listmap = z.preprocess(mapOf, z.record(entryName, texts));
/** A map of lists of strings in which single values stand for lists of one. An empty list or text stands for an empty map. */
export const multimap = z.preprocess(
  (value, context) => mapEntries(isBlank(value) ? {} : value, context),
  z.record(entryName, z.preprocess(lenientTexts, z.array(upTo(mostOfText, storable)))),
);

/** Of a list with more entries than this, some are looked at first. */
const longList = 1000;
const sample = 500;
/** Faulty entries after which a list is given up: a fault takes zod many times as long as an entry without one. */
const mostFaulty = 20;

/** Adds the faults of a long list if many of its entries are faulty, as some of them at random places show. */
function giveUp(item: z.ZodType, values: readonly unknown[], context: z.RefinementCtx): boolean {
  const stride = values.length / sample;
  let faulty = 0;
  for (let at = 0; at < sample && faulty <= mostFaulty; at += 1) {
    if (!item.safeParse(values[Math.floor((at + Math.random()) * stride)]).success) faulty += 1;
  }
  if (faulty <= mostFaulty) return false;
  for (const [at, value] of values.entries()) {
    const { error } = item.safeParse(value);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue, path: [at, ...issue.path] });
    if (context.issues.length >= mostFaulty) break;
  }
  return true;
}

/** A list of a shape. */
export const list = <S extends z.ZodType>(item: S) =>
  z.preprocess(
    (value, context) =>
      Array.isArray(value) && value.length > longList && giveUp(item, value, context) ? z.NEVER : value,
    z.array(item),
  );
/** A map with string keys to a shape. */
export const record = <S extends z.ZodType>(item: S) =>
  z.preprocess(
    (value, context) => {
      if (isObject(value) && hasLongName(value, context)) return z.NEVER;
      return withoutNulls(value, context, () => scalars.has(item));
    },
    z.record(entryName, item),
  );

/**
 * A resource of the contract: every field is optional, null counts as missing, unknown fields are refused unless the
 * contract ignores them. The name is that of the documents; it names the schema in the OpenAPI document.
 */
export function representation<F extends Fields>(name: string, fields: F, unknown: 'refused' | 'ignored' = 'refused') {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.optional()]));
  const declared = shape as { [K in keyof F]: z.ZodOptional<F[K]> };
  // an issue does not tell its shape: the message of unknown fields is the name
  const error = ({ code }: { code?: string | undefined }) => (code === 'unrecognized_keys' ? name : undefined);
  const object = unknown === 'ignored' ? z.object(declared) : z.strictObject(declared, { error });
  const isScalar = (key: string): boolean => key in fields && scalars.has(fields[key] as z.ZodType);
  return z.preprocess((value, context) => withoutNulls(value, context, isScalar), object).meta({ id: name });
}

/** Name of a shape in the documents, or undefined for an anonymous one. */
export const shapeName = (shape: z.ZodType): string | undefined => shape.meta()?.id;

const faultsOfIssue = (issue: z.core.$ZodIssue): Fault[] => {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message, isBare: true }];
  return issue.keys.map((key) => ({ path: [...path, key], message: 'Unknown field', isBare: true }));
};

/** Faults of values that are of another type than the shape says. */
const typeFaults: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

/**
 * Decodes what a caller sent. Throws a refusal that names the first field at fault, with the faults of all fields:
 * `unknownField` for a field that the shape does not have, otherwise `invalid`.
 */
export function decode<S extends z.ZodType>(shape: S, value: unknown): Input<S> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const faults = result.error.issues.flatMap(faultsOfIssue);
  const path = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const field = path ? `${path}.${key}` : key;
    const name = shapeName(shape) ?? 'Input';
    throw new Refusal('unknownField', `Unrecognized field "${key}" (class ${name}), not marked as ignorable`, {
      field,
      faults,
    });
  }
  const message = issue?.message ?? 'Invalid input';
  const isUnreadable = issue !== undefined && typeFaults.has(issue.code);
  throw invalid(path ? `${path}: ${message}` : message, path || undefined, {
    faults,
    ...(isUnreadable && { isUnreadable }),
  });
}
