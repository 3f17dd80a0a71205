import { realmShape } from '../../services/realms/files/shape.js';
import { printable } from '../print.js';
import { canonical } from './canonical.js';
import { yamlText } from './format.js';
import { mostBytes } from './parse.js';
import { type References, writable } from './secret-references.js';

/** A realm as the text of one file. Throws a sentence if a file of this format could not be read again. */
export function realmText(realm: Record<string, unknown>, format: 'json' | 'yaml', references?: References): string {
  const written = writable(realm, references);
  const text =
    format === 'yaml'
      ? yamlText(written, realmShape())
      : printable(`${JSON.stringify(canonical(written, realmShape()), null, 2)}\n`);
  if (Buffer.byteLength(text) <= mostBytes[format]) return text;
  throw new Error(`The realm is too large for one ${format === 'yaml' ? 'YAML' : 'JSON'} file: give --out a folder.`);
}
