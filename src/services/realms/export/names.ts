interface Named {
  id: string;
  name: string;
}

interface Group {
  id: string;
  path: string;
  subGroups: readonly Group[];
}

/** The part of an export that its users refer to by name. */
interface Naming {
  clientScopes: readonly Named[];
  roles?: { realm: readonly Named[]; client?: Readonly<Record<string, readonly Named[] | undefined>> };
  groups?: readonly Group[];
}

/** A role by its name, and by the clientId of the client that it belongs to. */
export interface NamedRole {
  name: string;
  client: { clientId: string } | null;
}

/** The names in an export, by the IDs of the objects that users have. */
export interface Names {
  scopes: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, NamedRole>;
  /** the paths of groups */
  groups: ReadonlyMap<string, string>;
}

function addPaths(paths: Map<string, string>, groups: readonly Group[]): void {
  for (const { id, path, subGroups } of groups) {
    paths.set(id, path);
    addPaths(paths, subGroups);
  }
}

/** The names of the client scopes, roles, and groups of an export, with which its users refer to them. */
export function namesIn({ clientScopes, roles, groups = [] }: Naming): Names {
  const paths = new Map<string, string>();
  addPaths(paths, groups);
  const named = new Map<string, NamedRole>();
  for (const { id, name } of roles?.realm ?? []) named.set(id, { name, client: null });
  for (const [clientId, list = []] of Object.entries(roles?.client ?? {})) {
    for (const { id, name } of list) named.set(id, { name, client: { clientId } });
  }
  return { scopes: new Map(clientScopes.map(({ id, name }) => [id, name])), roles: named, groups: paths };
}
