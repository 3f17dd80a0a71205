import type { Db } from '../../database/db.js';
import { invalid, type Missing } from '../core/refusal.js';
import { type SubjectKind, subjectLists } from './policy-types.js';
import type { SubjectReference } from './rule.js';

/** Returns the ID of a subject that a policy names by ID or by name. Throws `invalid` if the realm does not have it. */
export type Resolve = (subject: SubjectReference) => string;

const texts: Record<SubjectKind, string> = {
  role: 'role',
  user: 'user',
  group: 'group',
  client: 'client',
  'client-scope': 'client scope',
};

/** The refusal of an unknown subject. */
export const unknownSubject = ({ kind, reference, field = subjectLists[kind] }: SubjectReference) =>
  invalid(`The ${texts[kind]} "${reference}" does not exist`, field, { missing: missingSubject(kind, reference) });

const lists = { user: 'users', group: 'groups', client: 'clients', 'client-scope': 'clientScopes' } as const;

/** The missing subject that a policy names. Policies name client roles as `clientId/role`. */
function missingSubject(kind: SubjectKind, reference: string): Missing {
  if (kind !== 'role') return { kind: lists[kind] };
  const at = reference.indexOf('/');
  return at > 0 ? { kind: 'clientRoles', clientId: reference.slice(0, at) } : { kind: 'roles' };
}

type Find = (db: Db, realmId: string, wanted: string[]) => Promise<[string, string][]>;

const finders: Record<SubjectKind, Find> = {
  async role(db, realmId, wanted) {
    const ofClients = wanted.flatMap((name) => {
      const at = name.indexOf('/');
      return at > 0 ? [{ name: name.slice(at + 1), client: { clientId: name.slice(0, at) } }] : [];
    });
    const roles = await db.role.findMany({
      where: {
        realmId,
        OR: [{ id: { in: wanted } }, { clientId: null, container: realmId, name: { in: wanted } }, ...ofClients],
      },
      select: { id: true, name: true, client: { select: { clientId: true } } },
    });
    return roles.flatMap(({ id, name, client }) => pairs(id, client ? `${client.clientId}/${name}` : name));
  },
  async user(db, realmId, wanted) {
    const users = await db.user.findMany({
      where: { realmId, OR: [{ id: { in: wanted } }, { username: { in: wanted.map((name) => name.toLowerCase()) } }] },
      select: { id: true, username: true },
    });
    return users.flatMap(({ id, username }) => pairs(id, username));
  },
  async group(db, realmId, wanted) {
    const groups = await db.group.findMany({
      where: { realmId, OR: [{ id: { in: wanted } }, { path: { in: wanted } }] },
      select: { id: true, path: true },
    });
    return groups.flatMap(({ id, path }) => pairs(id, path));
  },
  async client(db, realmId, wanted) {
    const clients = await db.client.findMany({
      where: { realmId, OR: [{ id: { in: wanted } }, { clientId: { in: wanted } }] },
      select: { id: true, clientId: true },
    });
    return clients.flatMap(({ id, clientId }) => pairs(id, clientId));
  },
  async 'client-scope'(db, realmId, wanted) {
    const scopes = await db.clientScope.findMany({
      where: { realmId, OR: [{ id: { in: wanted } }, { name: { in: wanted } }] },
      select: { id: true, name: true },
    });
    return scopes.flatMap(({ id, name }) => pairs(id, name));
  },
};

const pairs = (id: string, name: string): [string, string][] => [
  [name, id],
  [id, id],
];

/** Looks up the subjects of policies: one statement for each kind that occurs. */
export async function referencesIn(db: Db, realmId: string, subjects: readonly SubjectReference[]): Promise<Resolve> {
  const known = new Map<string, string>();
  for (const kind of Object.keys(finders) as SubjectKind[]) {
    const wanted = [...new Set(subjects.filter((one) => one.kind === kind).map(({ reference }) => reference))];
    if (wanted.length === 0) continue;
    for (const [name, id] of await finders[kind](db, realmId, wanted)) known.set(`${kind} ${name}`, id);
  }
  return (subject) => {
    const { kind, reference } = subject;
    const id = known.get(`${kind} ${reference}`) ?? known.get(`${kind} ${reference.toLowerCase()}`);
    if (id === undefined) throw unknownSubject(subject);
    return id;
  };
}
