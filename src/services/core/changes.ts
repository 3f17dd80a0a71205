import type { AuditedObject } from './audited-object.js';
import { isObject, isSameJson, members, ownMember } from './json.js';
import { mask } from './mask.js';
import type { AuditRecord } from './operation.js';
import { isReplacedSecret, onlyReplaced } from './replaced-secrets.js';

/** A changed field of an object. A value is undefined if the field was or is absent. */
export interface Change {
  path: readonly string[];
  before: unknown;
  after: unknown;
}

/** A change, with the object that the field belongs to. */
export interface ObjectChange extends Change {
  object: AuditedObject | undefined;
}

/**
 * The fields that differ between two states of an object, in the order of their names. Nested objects are compared
 * field by field; a list is one value.
 */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  addChanges(changes, before, after, []);
  return changes;
}

function addChanges(to: Change[], before: unknown, after: unknown, path: readonly string[]): void {
  if (isReplacedSecret(before)) {
    to.push({ path, before: mask, after: mask });
    return;
  }
  if (isSameJson(before, after)) return;
  if (!isObject(before ?? {}) || !isObject(after ?? {})) {
    to.push({ path, before, after });
    return;
  }
  const [old, now] = [members(before), members(after)];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)].sort()))
    addChanges(to, ownMember(old, name), ownMember(now, name), [...path, name]);
}

/** The lists of links that records of these types of resources are about. */
const linkLists: Readonly<Record<string, string>> = {
  REALM_ROLE_MAPPING: 'roles',
  CLIENT_ROLE_MAPPING: 'roles',
  REALM_SCOPE_MAPPING: 'scopeRoles',
  CLIENT_SCOPE_MAPPING: 'scopeRoles',
  GROUP_MEMBERSHIP: 'groups',
};

type Linking = Pick<AuditRecord, 'operationType' | 'resourceType' | 'resourcePath' | 'representation' | 'before'>;

/**
 * The links that a record adds or removes: each is an entry of a list, by its name. If a record lists the links before
 * the write, links that did not change are left out. Undefined for other records.
 */
function linksIn({ operationType, resourceType, resourcePath, representation, before }: Linking): Change[] | undefined {
  const isComposite = resourcePath.endsWith('/composites');
  const list = isComposite ? 'composites' : ownMember(linkLists, resourceType);
  if (list === undefined || representation === undefined) return undefined;
  const isGone = operationType === 'DELETE';
  const known = Array.isArray(before) ? new Set(before.map(({ id }: { id?: unknown }) => id)) : undefined;
  return [representation].flat().flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { id, name, path, containerId } = entry;
    if (known && known.has(id) !== isGone) return [];
    const link = { id, name, path, containerId };
    const change = { path: [list, String(path ?? name ?? id)] };
    return { ...change, before: isGone ? link : undefined, after: isGone ? undefined : link };
  });
}

/** The columns of a stored audit record from which its changes are derived. */
interface Stored {
  operationType: string;
  resourceType: string;
  resourcePath: string;
  representation: string | null;
  before: string | null;
}

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));

const isOperation = (type: string): type is AuditRecord['operationType'] =>
  ['CREATE', 'UPDATE', 'DELETE', 'ACTION'].includes(type);

/** The changes in a stored audit record. Undefined if it lacks the states before and after. */
export function storedChanges({ operationType, resourceType, resourcePath, ...stored }: Stored): Change[] | undefined {
  if (!isOperation(operationType)) return undefined;
  const [before, representation] = [parsed(stored.before), parsed(stored.representation)];
  const record = { operationType, resourceType, resourcePath, representation, before };
  const links = linksIn(record);
  if (links) return links;
  const isTold = {
    CREATE: isObject(representation),
    UPDATE: isObject(before) && isObject(representation),
    DELETE: isObject(before),
    ACTION: isObject(before),
  }[operationType];
  return isTold ? changesIn(record) : undefined;
}

/**
 * The changes in an audit record. These are all fields of a created or deleted object, the given fields of an update,
 * added or removed links, and replaced secrets.
 */
export function changesIn(record: AuditRecord): Change[] {
  const { operationType, representation, before } = record;
  const links = linksIn(record);
  if (links) return links;
  if (operationType === 'DELETE') return isObject(before) ? changesBetween(before, undefined) : [];
  if (operationType === 'ACTION') return changesBetween(onlyReplaced(before), undefined);
  if (!isObject(representation)) return [];
  if (operationType === 'CREATE') return changesBetween(undefined, representation);
  if (!isObject(before)) return [];
  const given = Object.keys(representation).map((name) => [name, ownMember(before, name)] as const);
  const others = Object.entries(before).filter(([name]) => ownMember(representation, name) === undefined);
  return [
    ...changesBetween(Object.fromEntries(given), representation),
    ...changesBetween(onlyReplaced(Object.fromEntries(others)), undefined),
  ];
}
