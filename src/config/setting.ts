import type { z } from 'zod';

/** One setting, as docs/settings.md lists it. */
export interface SettingDescription {
  readonly name: string;
  /** as it is written in the environment; undefined where the setting has none */
  readonly default: string | undefined;
  readonly meaning: string;
  /** what a value has to look like, completing "must be …" */
  readonly expected: string;
}

/** A setting with the schema of its value. */
export interface Setting<Schema extends z.ZodType> extends SettingDescription {
  readonly schema: Schema;
  /** whether the value must not appear in a message */
  readonly secret: boolean;
}

/** A setting with a default. */
export const required = <Schema extends z.ZodType>(
  name: string,
  initial: string,
  schema: Schema,
  expected: string,
  meaning: string,
): Setting<Schema> => ({ name, default: initial, schema, expected, meaning, secret: false });

/** A setting without a default, which is undefined if it is not set. */
export const optional = <Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  expected: string,
  meaning: string,
  secret = false,
): Setting<z.ZodOptional<Schema>> => ({
  name,
  default: undefined,
  schema: schema.optional(),
  expected,
  meaning,
  secret,
});
