import { limit } from '../config/limits.js';
import { isObject, members, ownMember, setMember } from '../services/core/json.js';
import { type Attribute, findAttribute } from './attribute.js';
import { coreAttributes, type Document } from './document.js';
import { entryFor, matches } from './match.js';
import { parsePath, type TargetPath } from './parse-filter.js';
import { invalidPath, invalidSyntax, invalidValue, ScimRefusal } from './refusals.js';
import { customSchema, type ResourceType } from './schemas.js';
import { decodeTexts, decodeValue, type NoteIgnored } from './values.js';

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const mostOperations = limit('SCIM', 'Operations of a PATCH request', 1000, 'operations');

/** A change of one attribute. */
export interface Change {
  op: 'add' | 'replace' | 'remove';
  path: TargetPath;
  value: unknown;
  /** whether the attribute is a member of a value without a path: then unknown and read-only ones are ignored */
  isMember: boolean;
}

/** The changes that a PATCH request asks for. An operation without a path is one change for each member of its value. */
export function changesIn(sent: unknown): Change[] {
  if (!isObject(sent)) throw invalidSyntax('The body must be a JSON object');
  const { schemas, Operations: operations } = sent;
  if (Array.isArray(schemas) && !schemas.includes(patchUrn)) throw invalidSyntax(`\`schemas\` must have ${patchUrn}`);
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('`Operations` must be a list of operations');
  if (operations.length > mostOperations)
    throw new ScimRefusal('tooMany', `A request must have at most ${mostOperations} operations`);
  return operations.flatMap((operation, at) => changesOf(operation, `Operations.${at}`));
}

function changesOf(operation: unknown, place: string): Change[] {
  if (!isObject(operation)) throw invalidSyntax(`${place} must be an object`);
  const { path, value } = operation;
  const op = String(operation.op).toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw invalidSyntax(`${place}.op must be add, replace, or remove`);
  if (typeof path === 'string' && path !== '') return membersOf({ op, path: parsePath(path), value, isMember: false });
  if (path !== undefined && path !== null && path !== '') throw invalidPath(`${place}.path must be a text`);
  if (op === 'remove') throw new ScimRefusal('noTarget', `${place} must have a path`);
  if (!isObject(value)) throw invalidValue(`${place}.value must be an object, because there is no path`);
  return membersIn(op, undefined, value);
}

/** A change of a whole extension is one change for each of its attributes. */
function membersOf(change: Change): Change[] {
  const { op, path, value } = change;
  if (path.name !== '' || op === 'remove') return [change];
  if (!isObject(value)) throw invalidValue(`The value for ${path.text} must be an object`);
  return membersIn(op, path.schema, value);
}

const membersIn = (op: 'add' | 'replace', schema: string | undefined, value: object): Change[] =>
  Object.entries(value).flatMap(([name, own]) => {
    if (schema === undefined && name.toLowerCase() === 'schemas') return [];
    const path =
      schema === customSchema.urn
        ? { schema, name, sub: undefined, text: `${schema}:${name}`, filter: undefined }
        : parsePath(schema === undefined ? name : `${schema}:${name}`);
    return membersOf({ op, path, value: own, isMember: true });
  });

/** The object of a document in which the attributes of a schema are. */
function containerOf(type: ResourceType, document: Document, { schema }: TargetPath): Record<string, unknown> {
  if (schema === undefined || schema === type.schema.urn) return document;
  const present = ownMember(document, schema);
  if (isObject(present)) return present;
  const made: Record<string, unknown> = {};
  document[schema] = made;
  return made;
}

function attributesOf(type: ResourceType, { schema, text }: TargetPath): readonly Attribute[] {
  if (schema === undefined || schema === type.schema.urn) return coreAttributes(type);
  const extension = type.extensions.find(({ urn }) => urn === schema);
  if (!extension) throw invalidPath(`${type.name} does not have the schema of ${text}`);
  return extension.attributes;
}

/** Applies a change to a document. Throws `invalidPath`, `mutability`, `noTarget`, or `invalidValue`. */
export function applyChange(type: ResourceType, document: Document, change: Change, note: NoteIgnored): void {
  const { op, path, value, isMember } = change;
  const attributes = attributesOf(type, path);
  if (path.name === '') {
    removeSchema(type, document, path);
    return;
  }
  const container = containerOf(type, document, path);
  if (path.schema === customSchema.urn) {
    applyToTexts(container, change);
    return;
  }
  const attribute = findAttribute(attributes, path.name);
  const part = attribute && path.sub !== undefined ? findAttribute(attribute.parts ?? [], path.sub) : attribute;
  if (!attribute || !part) {
    if (!isMember && (!attribute || path.filter === undefined))
      throw invalidPath(`${type.name} does not have the attribute ${path.text}`);
    note(path.text);
    return;
  }
  if (attribute.mutability === 'readOnly' || part.mutability === 'readOnly') {
    if (isMember) return;
    throw new ScimRefusal('mutability', `${path.text} cannot be written`);
  }
  if (op === 'remove' && attribute.isRequired) throw new ScimRefusal('mutability', `${path.text} cannot be removed`);
  if (attribute.isMultiValued) applyToList(container, attribute, part, change, note);
  else if (path.filter) throw invalidPath(`${path.text} has a single value, so that its path cannot have a filter`);
  else if (part !== attribute) {
    const whole = members(container[attribute.name]);
    container[attribute.name] = withPart(
      whole,
      part,
      op === 'remove' ? undefined : decodeValue(part, value, [path.text], note),
    );
  } else if (op === 'remove') delete container[attribute.name];
  else {
    const decoded = decodeValue(attribute, value, [path.text], note);
    const isMerged = attribute.type === 'complex' && isObject(decoded);
    container[attribute.name] = isMerged ? { ...members(container[attribute.name]), ...decoded } : decoded;
  }
}

function removeSchema(type: ResourceType, document: Document, { schema, text }: TargetPath): void {
  if (schema === undefined || schema === type.schema.urn) throw invalidPath(`${text} cannot be removed`);
  delete document[schema];
}

function applyToTexts(container: Record<string, unknown>, { op, path, value }: Change): void {
  if (path.filter) throw invalidPath(`${path.text} cannot have a filter`);
  const present = ownMember(container, path.name);
  const given = op === 'remove' ? undefined : decodeTexts(value, [path.text]);
  const all = op === 'add' && Array.isArray(present) ? [...new Set([...present, ...(given ?? [])])] : (given ?? []);
  if (all.length > 0) setMember(container, path.name, all);
  else delete container[path.name];
}

/** The key of an entry in a list: its type if the list has one entry of each type, or else its value. */
function keyOf({ stores }: Attribute, entry: unknown): unknown {
  const { type, value } = members(entry);
  return stores ? String(type ?? Object.keys(stores)[0]).toLowerCase() : value;
}

/** An object with another value of a part. */
function withPart(object: Record<string, unknown>, { name }: Attribute, value: unknown): object {
  const { [name]: _, ...others } = object;
  return value === undefined ? others : { ...others, [name]: value };
}

function applyToList(
  container: Record<string, unknown>,
  attribute: Attribute,
  part: Attribute,
  { op, path, value }: Change,
  note: NoteIgnored,
): void {
  const { name } = attribute;
  const present = (container[name] as unknown[] | undefined) ?? [];
  const decode = (sent: unknown) => (decodeValue(attribute, sent, [path.text], note) as unknown[] | undefined) ?? [];
  const { filter } = path;
  const isChosen = (entry: unknown, at: number) =>
    // the first entry is the primary one where the core has no other
    filter === undefined || matches(filter, at === 0 ? { primary: true, ...members(entry) } : entry);
  const isWhole = part === attribute;
  const keysOf = (entries: readonly unknown[]) => new Set(entries.map((entry) => keyOf(attribute, entry)));
  let next: unknown[];
  if (op === 'remove' && isWhole) {
    const named = filter || value === undefined || value === null ? undefined : keysOf(decode(value));
    next = present.filter((entry, at) => (named ? !named.has(keyOf(attribute, entry)) : !isChosen(entry, at)));
  } else if (!filter && isWhole) {
    const given = decode(value);
    const replaced = keysOf(given);
    next = op === 'add' ? [...present.filter((entry) => !replaced.has(keyOf(attribute, entry))), ...given] : given;
  } else {
    const decoded =
      op === 'remove' ? undefined : isWhole ? decode(value)[0] : decodeValue(part, value, [path.text], note);
    const changed = (entry: unknown) =>
      isWhole ? { ...members(entry), ...members(decoded) } : withPart(members(entry), part, decoded);
    const hasTarget = present.some(isChosen);
    if (!hasTarget && op === 'remove') return;
    const made = hasTarget ? undefined : filter ? entryFor(filter) : {};
    if (!hasTarget && !made) throw new ScimRefusal('noTarget', `${path.text} matches no value`);
    next = made
      ? [...present, changed(decode(made)[0] ?? {})]
      : present.map((entry, at) => (isChosen(entry, at) ? changed(entry) : entry));
  }
  container[name] = next.length === 0 ? undefined : next;
}
