import { addRoute, createRouter, findRoute } from 'rou3';
import type { Route } from './table.js';

export interface Mount {
  /** what stands before the documented path, without a trailing slash */
  prefix: string;
  /** the whole path of a route on this mount; undefined where the mount lacks it */
  address(route: Route): string | undefined;
}

export const documentedMount: Mount = {
  prefix: '/auth',
  address: ({ path }) => (path === '' ? undefined : `/auth${path}`),
};

/** What existing tools send. */
export const adminMount: Mount = {
  prefix: '/auth/admin/realms',
  address({ path, admin }) {
    if (admin !== undefined) return `/auth/admin${admin}`;
    return path.startsWith('/{realm}') ? `/auth/admin/realms${path}` : undefined;
  },
};

export interface Match {
  route: Route | undefined;
  /** path parameters as they stand in the URL, decoded */
  params: Record<string, string>;
  mount: Mount;
  /** methods that the path has, when the wanted one is not among them */
  methods: string[];
}

export type Find = (method: string, path: string) => Match | undefined;

/** rou3 writes `{id}` as `:id` and knows only word characters in names. */
const pattern = (path: string): { path: string; names: Map<string, string> } => {
  const names = new Map<string, string>();
  const text = path.replace(/\{([\w-]+)(\*?)\}/g, (_, name: string, rest: string) => {
    const plain = name.replace(/\W/g, '_');
    names.set(plain, name);
    // only this form of the rest of a path takes empty segments
    return rest ? `:${plain}(.*)` : `:${plain}`;
  });
  return { path: text, names };
};

interface Entry {
  /** undefined where the path has other methods only */
  route: Route | undefined;
  names: Map<string, string>;
  methods: string[];
}

/** The form of a path, whatever its parameters are called. */
const formOf = (path: string): string => path.replace(/\{[\w-]+(\*?)\}/g, '{$1}');

/**
 * A router for one mount. A method that a path lacks gives a match without a route, also where the method would be there
 * for a path with a parameter: `users/count` is never a user.
 */
export function routerOf(mount: Mount, routes: readonly Route[]): Find {
  const router = createRouter<Entry>();
  const paths = new Map<string, { path: string; methods: Set<string> }>();
  for (const route of routes) {
    const address = mount.address(route);
    if (address === undefined) continue;
    const { path, names } = pattern(address);
    const known = paths.get(formOf(address)) ?? { path, methods: new Set() };
    paths.set(formOf(address), known);
    known.methods.add(route.method);
    addRoute(router, route.method, path, { route, names, methods: [] });
  }
  const all = new Set([...paths.values()].flatMap(({ methods }) => [...methods]));
  for (const { path, methods } of paths.values()) {
    const entry: Entry = { route: undefined, names: new Map(), methods: [...methods] };
    for (const method of all) if (!methods.has(method)) addRoute(router, method, path, entry);
  }
  const look = (method: string, path: string) =>
    findRoute(router, method, path) ?? (all.has(method) ? undefined : absent(router, path));
  return (method, path) => {
    const found = look(method, withoutMatrix(path));
    if (!found) return undefined;
    const { route, names, methods } = found.data;
    const params: Record<string, string> = {};
    for (const [plain, value] of Object.entries(found.params ?? {})) {
      params[names.get(plain) ?? plain] = decodedSegment(value as string);
    }
    return { route, params, mount, methods };
  };
}

/** The answer to a method that no path has: the methods of the path. */
function absent(router: ReturnType<typeof createRouter<Entry>>, path: string) {
  const found = findRoute(router, 'GET', path);
  if (!found) return undefined;
  const { route, methods } = found.data;
  return { ...found, data: { route: undefined, names: new Map(), methods: route ? [route.method] : methods } };
}

/** A path without matrix parameters, RFC 3986 section 3.3: nobody has ever made use of them. */
const withoutMatrix = (path: string): string => path.replace(/;[^/]*/g, '');

/** A segment that is not valid percent-encoding stands for itself. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The alias of the identity provider in the path of a request below `/broker`. */
export const aliasOf = ({ url = '' }: { url?: string | undefined }): string =>
  decodedSegment(/\/broker\/([^/?]+)\//.exec(url.split('?')[0] ?? '')?.[1] ?? '');
