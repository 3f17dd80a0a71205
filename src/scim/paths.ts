import { invalidPath } from './refusals.js';
import { isSchema, schemaIn } from './schemas.js';

/** A path of RFC 7644 section 3.10 without a value filter. */
export interface AttributePath {
  /** URN of the schema; undefined if the path does not state it */
  schema: string | undefined;
  /** empty if the path is a schema */
  name: string;
  sub: string | undefined;
  /** as it was sent */
  text: string;
}

/** Splits a path into schema, attribute, and sub-attribute. Names of custom attributes may have dots. */
export function attributePath(text: string): AttributePath {
  if (isSchema(text)) return { schema: isSchema(text), name: '', sub: undefined, text };
  const found = schemaIn(text);
  const rest = found ? text.slice(found.urn.length + 1) : text;
  if (found?.hasFreeNames) return { schema: found.urn, name: rest, sub: undefined, text };
  const [name = '', sub, ...more] = rest.split('.');
  if (!/^[A-Za-z$][\w$-]*$/.test(name) || more.length > 0 || sub === '') {
    throw invalidPath(`"${text.slice(0, 200)}" is not the path of an attribute`);
  }
  return { schema: found?.urn, name, sub, text };
}
