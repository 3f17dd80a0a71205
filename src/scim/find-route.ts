import type { Answer } from '../http/answer.js';
import type { ScimRequest } from './request.js';

export type Handle = (request: ScimRequest) => Promise<Answer>;

/** A row of the table. */
export interface ScimRoute {
  method: string;
  /** below `/scim/v2` */
  path: string;
  /** for logs and metrics */
  name: string;
  handle: Handle;
}

/** Finds the route of a method and a path, and the methods that the path has. */
export type FindRoute = (
  method: string,
  path: string,
) => { route: ScimRoute | undefined; id: string; methods: string[] };

export const findRoute =
  (routes: readonly ScimRoute[]): FindRoute =>
  (method, path) => {
    const [, resource = '', id = '', ...more] = path.split('/');
    const exact = routes.filter((one) => one.path === path);
    const hasId = id !== '' && more.length === 0;
    const found = exact.length > 0 ? exact : routes.filter((one) => hasId && one.path === `/${resource}/{id}`);
    return {
      route: found.find((one) => one.method === method),
      id: exact.length > 0 ? '' : decodedSegment(id),
      methods: found.map((one) => one.method),
    };
  };

/** A segment that is not valid percent-encoding stands for itself. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
