import { printable } from '../print.js';
import { canonical } from './canonical.js';
import { yamlText } from './format.js';
import { mostBytes } from './parse.js';
import { realmShape, type Shape } from './shape.js';
import { escapedReferences } from './substitute.js';

/** A part of a realm as the text of a YAML file, with texts that stay as they are when the file is read. */
export const partText = (value: unknown, shape: Shape | undefined): string => yamlText(escapedReferences(value), shape);

/** A realm as the text of one file. Throws a sentence if a file of this format could not be read again. */
export function realmText(realm: Record<string, unknown>, format: 'json' | 'yaml'): string {
  const text =
    format === 'yaml'
      ? partText(realm, realmShape())
      : printable(`${JSON.stringify(canonical(escapedReferences(realm), realmShape()), null, 2)}\n`);
  if (Buffer.byteLength(text) <= mostBytes[format]) return text;
  throw new Error(`The realm is too large for one ${format === 'yaml' ? 'YAML' : 'JSON'} file: give --out a folder.`);
}
