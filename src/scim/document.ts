import { createHash } from 'node:crypto';
import { isObject, ownMember, setMember } from '../services/core/json.js';
import { invalidSyntax, invalidValue } from './refusals.js';
import { commonAttributes, customSchema, type ResourceType, type Schema } from './schemas.js';
import { readParts, type Stored, writeParts } from './stored.js';
import { decodeParts, decodeTexts, type NoteIgnored } from './values.js';

/** A resource as JSON, with the usual names of its attributes. Extensions are objects under their URNs. */
export type Document = Record<string, unknown>;

/** The attributes of a resource outside of its extensions. */
export const coreAttributes = ({ schema }: ResourceType) => [...commonAttributes, ...schema.attributes];

const named = new Map<string, ReadonlySet<string>>();

/** The names of the custom attributes that have an attribute of SCIM of their own. */
function namedAttributes(type: ResourceType): ReadonlySet<string> {
  const known = named.get(type.name) ?? new Set(Object.keys(storedOf(type, {}, () => undefined).attributes));
  named.set(type.name, known);
  return known;
}

/** Decodes a resource that was sent. Names are in any case; unknown attributes are ignored and noted. */
export function decodeDocument(type: ResourceType, sent: unknown, note: NoteIgnored): Document {
  if (!isObject(sent)) throw invalidSyntax('The body must be a JSON object');
  const known = new Map([type.schema, ...type.extensions].map((schema) => [schema.urn.toLowerCase(), schema]));
  const core: Record<string, unknown> = {};
  const document: Document = {};
  for (const [name, value] of Object.entries(sent)) {
    const schema = known.get(name.toLowerCase());
    if (name.toLowerCase() === 'schemas') requireSchemas(type, value);
    else if (schema && schema !== type.schema) {
      const decoded = decodeExtension(schema, value, note);
      if (decoded) document[schema.urn] = decoded;
    } else if (schema && isObject(value)) Object.assign(core, value);
    else setMember(core, name, value);
  }
  return { ...decodeParts(coreAttributes(type), core, [], note), ...document };
}

function requireSchemas({ schema }: ResourceType, sent: unknown): void {
  const urns = Array.isArray(sent) ? sent : [];
  if (!urns.some((urn) => typeof urn === 'string' && urn.toLowerCase() === schema.urn.toLowerCase()))
    throw invalidSyntax(`\`schemas\` must have ${schema.urn}`);
}

function decodeExtension(schema: Schema, sent: unknown, note: NoteIgnored): Record<string, unknown> | undefined {
  if (sent === null) return undefined;
  if (!isObject(sent)) throw invalidValue(`${schema.urn} must be an object`);
  if (!schema.hasFreeNames) return decodeParts(schema.attributes, sent, [schema.urn], note);
  const decoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    setMember(decoded, name, decodeTexts(value, [schema.urn, name]) ?? []);
  }
  return decoded;
}

/** The values of a document at their places in the core. Missing values are undefined there. */
export function storedOf(type: ResourceType, document: Document, note: NoteIgnored): Stored {
  const stored: Stored = { fields: {}, attributes: {} };
  writeParts(coreAttributes(type), document, stored, note);
  for (const extension of type.extensions) {
    const values = ownMember(document, extension.urn);
    if (!extension.hasFreeNames) writeParts(extension.attributes, isObject(values) ? values : {}, stored, note);
    else
      for (const [name, texts] of Object.entries(isObject(values) ? values : {})) addCustom(type, stored, name, texts);
  }
  return stored;
}

function addCustom(type: ResourceType, stored: Stored, name: string, texts: unknown): void {
  if (Object.hasOwn(stored.attributes, name))
    throw invalidValue(
      `The attribute "${name.slice(0, 100)}" cannot be set in ${customSchema.urn}: another schema of ${type.name} has it`,
    );
  setMember(stored.attributes, name, Array.isArray(texts) && texts.length > 0 ? texts : undefined);
}

/** The stored values of a resource as a document, with the URNs of its schemas. */
export function documentOf(type: ResourceType, stored: Stored): Document {
  const document: Document = { schemas: [type.schema.urn], ...readParts(coreAttributes(type), stored) };
  for (const extension of type.extensions) {
    const values = extension.hasFreeNames ? customValues(type, stored) : readParts(extension.attributes, stored);
    if (!values) continue;
    (document.schemas as string[]).push(extension.urn);
    document[extension.urn] = values;
  }
  return document;
}

function customValues(type: ResourceType, { attributes }: Stored): Record<string, unknown> | undefined {
  const named = namedAttributes(type);
  const custom = Object.entries(attributes).filter(([name, values]) => values && !named.has(name));
  return custom.length === 0 ? undefined : Object.fromEntries(custom);
}

/** A short text that differs for other IDs. */
export const digestOf = (ids: readonly string[]): string =>
  createHash('sha256').update(ids.join('\n')).digest('base64url').slice(0, 16);
