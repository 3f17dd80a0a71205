import { isObject } from '../services/core/json.js';
import { type Attribute, findAttribute } from './attribute.js';
import { invalidValue } from './refusals.js';

/** Takes the paths of values that are ignored. */
export type NoteIgnored = (...path: string[]) => void;

/** The parts of an object that were sent for the attributes, by the names of these. Attributes that cannot be written are left out. */
export function decodeParts(
  attributes: readonly Attribute[],
  sent: Readonly<Record<string, unknown>>,
  path: readonly string[],
  note: NoteIgnored,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const attribute = findAttribute(attributes, name);
    if (!attribute) {
      note(...path, name);
      continue;
    }
    if (attribute.mutability === 'readOnly') continue;
    const own = decodeValue(attribute, value, [...path, attribute.name], note);
    if (own !== undefined) decoded[attribute.name] = own;
  }
  return decoded;
}

/** The value of an attribute in its usual form; undefined for null and empty lists. Throws `invalidValue`. */
export function decodeValue(attribute: Attribute, sent: unknown, path: readonly string[], note: NoteIgnored): unknown {
  if (sent === null || sent === undefined) return undefined;
  if (attribute.isMultiValued) {
    const entries = (Array.isArray(sent) ? sent : [sent]).flatMap(
      (entry, at) => decodeComplex(attribute, entry, [...path, String(at)], note) ?? [],
    );
    return entries.length === 0 ? undefined : entries;
  }
  const only: unknown = Array.isArray(sent) ? onlyEntry(sent, path) : sent;
  if (attribute.type === 'complex') return decodeComplex(attribute, only, path, note);
  // some clients send every value as an object
  return decodeSimple(attribute, isObject(only) && 'value' in only ? only.value : only, path);
}

function onlyEntry(sent: readonly unknown[], path: readonly string[]): unknown {
  if (sent.length > 1) throw invalidValue(`${path.join('.')} must have a single value`);
  return sent[0];
}

function decodeComplex(
  { parts = [] }: Attribute,
  sent: unknown,
  path: readonly string[],
  note: NoteIgnored,
): Record<string, unknown> | undefined {
  if (sent === null || sent === undefined) return undefined;
  if (!isObject(sent)) {
    if (!findAttribute(parts, 'value') || Array.isArray(sent))
      throw invalidValue(`${path.join('.')} must be an object`);
    return decodeParts(parts, { value: sent }, path, note);
  }
  const decoded = decodeParts(parts, sent, path, note);
  return Object.keys(decoded).length === 0 ? undefined : decoded;
}

function decodeSimple({ type }: Attribute, sent: unknown, path: readonly string[]): unknown {
  if (sent === null || sent === undefined) return undefined;
  if (type === 'boolean') {
    if (typeof sent === 'boolean') return sent;
    // Entra ID sends booleans as texts
    if (typeof sent === 'string' && /^(true|false)$/i.test(sent)) return sent.toLowerCase() === 'true';
    throw invalidValue(`${path.join('.')} must be true or false`);
  }
  if (typeof sent === 'number' || typeof sent === 'boolean') return String(sent);
  if (typeof sent !== 'string') throw invalidValue(`${path.join('.')} must be a text`);
  return sent === '' ? undefined : sent;
}

/** The texts of a custom attribute; undefined for none. */
export function decodeTexts(sent: unknown, path: readonly string[]): string[] | undefined {
  const entries = (Array.isArray(sent) ? sent : [sent]).filter((entry) => entry !== null && entry !== undefined);
  const texts = entries.map((entry: unknown) => {
    const value = isObject(entry) && 'value' in entry ? entry.value : entry;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value !== 'string') throw invalidValue(`${path.join('.')} must be a list of texts`);
    return value;
  });
  return texts.length === 0 ? undefined : texts;
}
