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
  route: Route;
  names: Map<string, string>;
}

/** A router for one mount. A method that a path lacks gives a match without a route. */
export function routerOf(mount: Mount, routes: readonly Route[]): Find {
  const router = createRouter<Entry>();
  const methods = new Set<string>();
  for (const route of routes) {
    const address = mount.address(route);
    if (address === undefined) continue;
    const { path, names } = pattern(address);
    methods.add(route.method);
    addRoute(router, route.method, path, { route, names });
  }
  const look = (method: string, path: string) => findRoute(router, method, path);
  return (method, path) => {
    const found = look(method, path);
    if (!found) {
      const others = [...methods].filter((other) => other !== method && look(other, path));
      return others.length > 0 ? { route: undefined, params: {}, mount, methods: others } : undefined;
    }
    const { route, names } = found.data;
    const params: Record<string, string> = {};
    for (const [plain, value] of Object.entries(found.params ?? {})) {
      params[names.get(plain) ?? plain] = decoded(value as string);
    }
    return { route, params, mount, methods: [] };
  };
}

/** A segment that is not valid percent-encoding stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
