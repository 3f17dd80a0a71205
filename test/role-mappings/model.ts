/** A generator of the same numbers for the same seed, in [0, 1). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Holder {
  name: string;
  roles: string[];
}

/** Roles with composites in cycles, a tree of groups and users, and what follows from them. */
export interface Model {
  /** roles by name; those of the client start with its clientId */
  composites: Map<string, string[]>;
  /** groups by path, parents first */
  groups: Map<string, Holder & { parent: string | undefined }>;
  users: Map<string, Holder & { groups: string[] }>;
  /** the effective roles of a user by name */
  rolesOf(user: string): Set<string>;
  /** those that members have through a group: its own and those of its parents, or only its own */
  rolesThrough(group: string, withParents: boolean): Set<string>;
}

export const clientId = 'shop';
const isClientRole = (name: string) => name.startsWith(clientId);

/** A model of about this size. */
export function generate(seed: number, sizes: { roles: number; groups: number; users: number }): Model {
  const next = random(seed);
  const pick = <T>(items: readonly T[], most: number): T[] => [
    ...new Set(
      Array.from({ length: Math.floor(next() * (most + 1)) }, () => items[Math.floor(next() * items.length)] as T),
    ),
  ];
  const names = Array.from({ length: sizes.roles }, (_, at) => (at % 3 === 0 ? `${clientId}-r${at}` : `r${at}`));
  const composites = new Map(names.map((name) => [name, next() < 0.4 ? pick(names, 3) : []]));
  const groups: Model['groups'] = new Map();
  for (let at = 0; at < sizes.groups; at += 1) {
    const [parent] = next() < 0.7 ? pick([...groups.keys()], 1) : [];
    groups.set(`${parent ?? ''}/g${at}`, { name: `g${at}`, parent, roles: pick(names, 2) });
  }
  const users = new Map(
    Array.from({ length: sizes.users }, (_, at) => {
      const name = `u${String(at).padStart(3, '0')}`;
      return [name, { name, roles: pick(names, 3), groups: pick([...groups.keys()], 2) }] as const;
    }),
  );
  const closed = (roles: Iterable<string>) => {
    const found = new Set(roles);
    for (const role of found) for (const part of composites.get(role) ?? []) found.add(part);
    return found;
  };
  const lineage = (path: string): string[] => {
    const parent = groups.get(path)?.parent;
    return parent === undefined ? [path] : [path, ...lineage(parent)];
  };
  const ofGroup = (path: string) => groups.get(path)?.roles ?? [];
  return {
    composites,
    groups,
    users,
    rolesOf(name) {
      const user = users.get(name);
      const through = (user?.groups ?? []).flatMap(lineage).flatMap(ofGroup);
      return closed([...(user?.roles ?? []), ...through]);
    },
    rolesThrough: (path, withParents) => closed((withParents ? lineage(path) : [path]).flatMap(ofGroup)),
  };
}

const split = (roles: readonly string[]) => ({
  realmRoles: roles.filter((role) => !isClientRole(role)),
  clientRoles: { [clientId]: roles.filter(isClientRole) },
});

/** The model as a realm to be imported. */
export function asRealm(name: string, { composites, groups, users }: Model) {
  const role = (own: string) => {
    const parts = composites.get(own) ?? [];
    return {
      name: own,
      ...(parts.length > 0 && {
        composite: true,
        composites: {
          realm: parts.filter((part) => !isClientRole(part)),
          client: { [clientId]: parts.filter(isClientRole) },
        },
      }),
    };
  };
  const below = (parent: string | undefined): object[] =>
    [...groups]
      .filter(([, group]) => group.parent === parent)
      .map(([path, group]) => ({ name: group.name, ...split(group.roles), subGroups: below(path) }));
  const names = [...composites.keys()];
  return {
    realm: name,
    enabled: true,
    clients: [{ clientId }],
    roles: {
      realm: names.filter((own) => !isClientRole(own)).map(role),
      client: { [clientId]: names.filter(isClientRole).map(role) },
    },
    groups: below(undefined),
    users: [...users.values()].map((user) => ({
      username: user.name,
      enabled: true,
      groups: user.groups,
      ...split(user.roles),
    })),
  };
}
