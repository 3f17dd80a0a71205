import type { Db, ModelName } from '../../database/db.js';
import { takenIds } from '../../database/taken-ids.js';
import { isObject, withLeaves } from './json.js';
import { conflict, invalid } from './refusal.js';

// The contract keeps IDs such as `own-scope-id` besides UUIDs. IDs with a colon name users of a storage.
const plain = /^[\w .-]+$/;

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const longest = 36;

/** Refuses IDs that no path can name (RFC 3986 section 5.2.4), and IDs that are too long. */
function checked(given: string, field: string): string {
  if (given === '' || given === '.' || given === '..')
    throw invalid('An ID must not be empty or consist of dots', field);
  if (given.length > longest) throw invalid(`An ID must be at most ${longest} characters`, field);
  return given;
}

/** Creates IDs of new objects, with or without a file. */
export interface IdSource {
  newId(): string;
}

/**
 * Returns the IDs of new objects for which a caller may choose them: the given ones, or new ones for texts that are not
 * IDs. Throws `conflict` for an ID of any object on the server, so that nothing is stored under the ID of something
 * else. `taken` has the given IDs that are in use.
 */
export function ownIdsBeside(
  taken: ReadonlySet<string>,
  given: readonly (string | undefined)[],
  { newId }: IdSource,
  field = 'id',
  message?: string,
): string[] {
  const asked = given.flatMap((id) => (id === undefined ? [] : checked(id, field)));
  const seen = new Set<string>();
  const used = asked.find((id) => taken.has(id) || seen.size === seen.add(id).size);
  if (used !== undefined) throw conflict(message ?? `The ID ${used} is already in use`, field, 'ID_TAKEN');
  return given.map((id) => (id !== undefined && plain.test(id) ? id : newId()));
}

/** The IDs of new objects by the rules of `ownIdsBeside`, which are looked up first. */
export async function ownIds(
  db: Db,
  given: readonly (string | undefined)[],
  source: IdSource,
  field = 'id',
  message?: string,
): Promise<string[]> {
  const asked = given.flatMap((id) => (id === undefined ? [] : checked(id, field)));
  return ownIdsBeside(await takenIds(db, asked), given, source, field, message);
}

/** The ID of one new object, as `ownIds` returns it; `message` is the message of the conflict. */
export async function ownId(
  db: Db,
  given: string | undefined,
  source: IdSource,
  field = 'id',
  message?: string,
): Promise<string> {
  const [id] = await ownIds(db, [given], source, field, message);
  return id as string;
}

/** Fields of the contract that hold IDs. */
const idFields: ReadonlySet<string> = new Set(['id', '_id', 'internalId']);

/** Whether a field of this name has the ID of the object that it belongs to. */
export const isIdField = (name: string): boolean => idFields.has(name);

/** Collects the IDs in a file that may be kept. They are looked up before its objects get their IDs. */
export function idsIn(value: unknown, into: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) idsIn(item, into);
  if (!isObject(value)) return into;
  for (const name of Object.keys(value)) {
    const item = value[name];
    if (typeof item !== 'string') idsIn(item, into);
    else if (isIdField(name) && plain.test(item)) into.push(item);
  }
  return into;
}

/** The IDs of the objects in a file. */
export interface FileIds {
  /**
   * The ID on this server of an object in a file: its own, unless another object on the server has it; otherwise a new
   * one. Throws `conflict` for an ID that two objects of a kind have.
   */
  of(kind: ModelName, given: string | undefined, field?: string): string;
  /** The ID on this server of an object that has this ID in the file. */
  now(kind: ModelName, given: string): string;
  /** A part of the file whose texts have the new IDs in place of replaced ones. */
  renewed<T>(part: T): T;
}

/** There are too many of these to keep in memory; the database finds their duplicates. */
const uncounted: ReadonlySet<ModelName> = new Set(['User', 'Credential']);

/**
 * Begins the IDs of a file. `taken` has the IDs of the file that are in use; more may be added while the file is read.
 */
export function fileIds(taken: ReadonlySet<string>, { newId }: IdSource): FileIds {
  const used = new Set<string>();
  const given = new Set<string>();
  const replaced = new Map<string, string>();
  const replacedUuids = new Map<string, string>();
  const now = (kind: ModelName, id: string): string => replaced.get(`${kind} ${id}`) ?? id;

  return {
    of(kind, id, field = 'id') {
      if (id === undefined) return newId();
      const key = `${kind} ${checked(id, field)}`;
      if (given.has(key)) throw conflict(`The ID ${id} occurs twice in the file`, field, 'REPEATED');
      if (!uncounted.has(kind)) given.add(key);
      if (plain.test(id) && !taken.has(id) && !used.has(id)) {
        if (!uncounted.has(kind)) used.add(id);
        return id;
      }
      const own = newId();
      replaced.set(key, own);
      // if two kinds share it, a text does not state which one it refers to
      replacedUuids.set(id, replacedUuids.has(id) ? id : own);
      return own;
    },
    now,
    renewed: (part) => withReplacedIds(part, replacedUuids),
  };
}

/** Names of clients, and of the users that they act as: a client that was created without a name is called by its first ID. */
const clientNames: ReadonlySet<string> = new Set(['clientId', 'client', 'serviceAccountClientId', 'username']);

/** A part of a file with other IDs wherever its texts have one of these UUIDs, apart from names of clients. */
export function withReplacedIds<T>(part: T, ids: ReadonlyMap<string, string>): T {
  if (ids.size === 0) return part;
  const renewed = (leaf: unknown, name?: string) =>
    typeof leaf === 'string' && !clientNames.has(name ?? '') ? replaceAll(leaf, ids) : leaf;
  return withLeaves(part, renewed) as T;
}

const replaceAll = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(uuids, (id) => ids.get(id) ?? id);
