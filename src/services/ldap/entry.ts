import type { Entry as RawEntry } from 'ldapts';
import type { Directory } from './directory.js';
import { unescaped } from './dn.js';

/** An entry of a directory. */
export interface Entry {
  dn: string;
  /** by the names of the attributes in lower case, because they are case-insensitive (RFC 4512, 2.5) */
  values: ReadonlyMap<string, readonly (string | Buffer)[]>;
  /** the server with the entry, if the directory referred to another one */
  server?: Directory;
}

/** Converts an entry of the client library. */
export function entryOf({ dn, ...attributes }: RawEntry): Entry {
  const values = new Map<string, (string | Buffer)[]>();
  for (const [name, value] of Object.entries(attributes)) {
    const list = [value].flat().filter((item) => item !== '');
    // the client adds the requested attributes as well, in another case, and empty
    if (list.length > 0) values.set(name.toLowerCase(), list);
  }
  return { dn, values };
}

const asText = (value: string | Buffer): string => (typeof value === 'string' ? value : value.toString('utf8'));

/** The values of an attribute as texts. */
export const textsOf = ({ values }: Entry, attribute: string): string[] =>
  (values.get(attribute.toLowerCase()) ?? []).map(asText);

/** The first value of an attribute as text. */
export const textOf = (entry: Entry, attribute: string): string | undefined => textsOf(entry, attribute)[0];

/**
 * The value of an attribute that names the entry. If there are several, it is the value in the DN: directories
 * guarantee no order of values, and the owner of an entry may add some. Otherwise it is the first value.
 */
export function nameOf(entry: Entry, attribute: string): string | undefined {
  const texts = textsOf(entry, attribute);
  if (texts.length < 2) return texts[0];
  const [, type = '', value = ''] = /^\s*([^=]+?)\s*=\s*((?:\\.|[^,+\\])*)/s.exec(entry.dn) ?? [];
  const named = unescaped(value).trim().toLowerCase();
  const isNaming = type.toLowerCase() === attribute.toLowerCase();
  return (isNaming ? texts.find((text) => text.trim().toLowerCase() === named) : undefined) ?? texts[0];
}

/** The values of an attribute as bytes. */
export const allBytesOf = ({ values }: Entry, attribute: string): Buffer[] =>
  (values.get(attribute.toLowerCase()) ?? []).map((value) =>
    typeof value === 'string' ? Buffer.from(value, 'utf8') : value,
  );

/** The first value of an attribute as bytes. */
export const bytesOf = (entry: Entry, attribute: string): Buffer | undefined => allBytesOf(entry, attribute)[0];

/** Names of attributes with binary IDs. Their values are always read as bytes. */
const binaryIds = new Set(['objectguid', 'guid']);

/** Whether an identifying attribute has 16 bytes in place of a text. */
export const isBinaryId = (attribute: string): boolean => binaryIds.has(attribute.toLowerCase());

/** The permanent ID of an entry. Active Directory has the first three parts of a GUID in reverse byte order. */
export function idOf(entry: Entry, attribute: string): string | undefined {
  if (!isBinaryId(attribute)) return nameOf(entry, attribute);
  const bytes = bytesOf(entry, attribute);
  if (bytes?.length !== 16) return undefined;
  const ordered = attribute.toLowerCase() === 'objectguid' ? reordered(bytes) : bytes;
  return ordered.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The bytes of a GUID with its first three parts reversed; the same in both directions. */
const reordered = (bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(bytes.subarray(0, 4)).reverse(),
    Buffer.from(bytes.subarray(4, 6)).reverse(),
    Buffer.from(bytes.subarray(6, 8)).reverse(),
    bytes.subarray(8),
  ]);

/**
 * The security identifier (MS-DTYP 2.4.2.2) of an account's primary group, in hexadecimal. It is the identifier of the
 * account with its last part, the relative identifier, replaced. Undefined if the entry does not state it.
 */
export function primaryGroupOf(entry: Entry): string | undefined {
  const sid = bytesOf(entry, 'objectSid');
  const relative = Number(textOf(entry, 'primaryGroupID') ?? Number.NaN);
  if (!sid || sid.length < 12 || !Number.isInteger(relative) || relative < 0 || relative > 0xffff_ffff)
    return undefined;
  const group = Buffer.from(sid);
  group.writeUInt32LE(relative, group.length - 4);
  return group.toString('hex');
}

/** The value for a search, from an ID of `idOf`. */
export function idValue(id: string, attribute: string): string | Buffer {
  if (!isBinaryId(attribute)) return id;
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return attribute.toLowerCase() === 'objectguid' ? reordered(bytes) : bytes;
}

/** A DN in a form to compare: case and blanks around its parts do not count (RFC 4514). */
export const comparableDn = (dn: string): string =>
  dn
    .trim()
    .split(/(?<!\\)([,=+])/)
    .map((part, at) => (at % 2 === 0 ? part.trimStart().replace(trailingBlanks, '') : part))
    .join('')
    .toLowerCase();

/**
 * The blanks at the end of a part, except for an escaped one. It starts only after a non-blank, so that it takes linear
 * time.
 */
const trailingBlanks = /(?<!\s)\s+$/;
