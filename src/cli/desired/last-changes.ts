import type { ShownChange } from '../../services/realms/desired/representation.js';
import type { ChangeRecord, EventPlaces, RealmAccess } from '../access/access.js';

/** Objects that are looked for with one request. */
const atOnce = 25;

/** The last known change of each object of a plan, by hand or by an earlier apply; undefined for objects that no event is about. */
export async function lastChanges(
  realms: RealmAccess,
  realm: string,
  changes: readonly ShownChange[],
): Promise<(ChangeRecord | undefined)[]> {
  const found: (ChangeRecord | undefined)[] = [];
  for (let start = 0; start < changes.length; start += atOnce) {
    const some = changes.slice(start, start + atOnce);
    const records = await realms.records(realm, placesOf(some));
    found.push(...some.map((change) => records.find((record) => isAbout(record, change))));
  }
  return found;
}

/** The names that an object has and had: events from before a renaming have the old one. */
function namesOf({ key, fields }: ShownChange): string[] {
  const name = fields.find(({ path }) => path.length === 1 && path[0] === 'name');
  const last = key.split('/').at(-1) ?? key;
  return [...new Set([last, name?.before, name?.after].filter((text) => typeof text === 'string'))];
}

const isRole = ({ kind }: ShownChange): boolean => kind === 'REALM_ROLE' || kind === 'CLIENT_ROLE';

/** Paths of an object: a role has one by its name as well. */
const pathsOf = (change: ShownChange): string[] => [
  ...(change.path ? [change.path] : []),
  ...(change.kind === 'REALM_ROLE' ? namesOf(change).map((name) => `roles/${name}`) : []),
];

const endingsOf = (change: ShownChange): string[] =>
  change.kind === 'CLIENT_ROLE' ? namesOf(change).map((name) => `/roles/${name}`) : [];

/** What the files have and the realm lacks was deleted, if it ever was there. */
const isDeleted = ({ action }: ShownChange): boolean => action === 'CREATE';

function placesOf(changes: readonly ShownChange[]): EventPlaces {
  const present = changes.filter((change) => !isDeleted(change));
  return {
    paths: present.flatMap(pathsOf),
    endings: present.flatMap(endingsOf),
    deletedKinds: [...new Set(changes.filter(isDeleted).map(({ kind }) => kind))],
    isRealm: present.some(({ kind }) => kind === 'REALM'),
  };
}

const naming = ['name', 'clientId', 'alias', 'username', 'path'];

function isAbout(record: ChangeRecord, change: ShownChange): boolean {
  const { resourcePath, resourceType, operationType } = record;
  if (isDeleted(change)) {
    if (operationType !== 'DELETE' || resourceType !== change.kind) return false;
    const names = [change.key, ...namesOf(change)];
    const wasCalled = record.changes.some(
      ({ path, before }) => path.length === 1 && naming.includes(path[0] ?? '') && names.includes(String(before)),
    );
    return wasCalled || names.includes(resourcePath.split('/').at(-1) ?? '');
  }
  if (change.kind === 'REALM') return resourceType === 'REALM';
  const isAt = pathsOf(change).some((path) => resourcePath === path || resourcePath.startsWith(`${path}/`));
  return isAt || (isRole(change) && endingsOf(change).some((ending) => resourcePath.endsWith(ending)));
}

/** Who changed an object last, and when, as a line below it. */
export const authorLine = (record: ChangeRecord | undefined): string =>
  record === undefined
    ? '    no event states who changed it'
    : `    last changed ${record.time} by ${record.by} (${record.operation})`;
