import type { z } from 'zod';

interface Declared {
  innerType?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
}

/** How a shape is declared. */
export const declared = (shape: z.ZodType | undefined) => (shape?._zod.def ?? {}) as Declared;

/** The fields of a representation, without what converts it. */
export function fieldsOf(shape: z.ZodType | undefined): Record<string, z.ZodType> {
  const { out, shape: fields } = declared(shape);
  return out ? fieldsOf(out) : (fields ?? {});
}
