import type { TargetKind } from '../services/core/allow.js';
import type { Context } from '../services/core/context.js';

export type Params = Record<string, string>;

/** Somewhere in the URL space, and how to find what lies there. */
export interface Place<T> {
  readonly path: string;
  /** path after `/auth/admin` where existing tools send it to another one than the documented path suggests */
  readonly admin?: string;
  /** kinds of what lies there, where permissions depend on that */
  readonly kinds?: readonly TargetKind[];
  locate(ctx: Context, params: Params): Promise<T>;
}

/** The same kind of thing at one or more addresses. An operation is mounted once for each. */
export type Places<T> = readonly Place<T>[];

/** A path with the locator of its target. */
export const at = <T>(path: string, locate: (ctx: Context, params: Params) => Promise<T>): Places<T> => [
  { path, locate },
];

/** What is found below each of the parents. */
export const child = <P, T>(
  parents: Places<P>,
  suffix: string,
  find: (ctx: Context, parent: P, params: Params) => Promise<T> | T,
): Places<T> =>
  parents.map((parent) => ({
    ...extended(parent, suffix),
    locate: async (ctx, params) => find(ctx, await parent.locate(ctx, params), params),
  }));

/** The same things under a longer path. */
export const below = <T>(places: Places<T>, suffix: string): Places<T> =>
  places.map((place) => ({ ...extended(place, suffix), locate: place.locate }));

/** A longer address. What the admin mount alone has stays there. */
const extended = ({ path, admin, kinds }: Omit<Place<unknown>, 'locate'>, suffix: string) => ({
  ...(path === '' && admin ? { path, admin: admin + suffix } : { path: path + suffix }),
  ...(kinds && { kinds }),
});

/** Says of which kinds the things at these addresses, and those below them, are: their permissions depend on it. */
export const ofKind = <T>(kinds: readonly TargetKind[], places: Places<T>): Places<T> =>
  places.map((place) => ({ ...place, kinds }));

/** The same things at an older address that only existing tools send; the documents lack it. */
export const formerly = <T>(places: Places<T>, suffix: string): Places<T> =>
  places.map((place) => ({ path: '', admin: `/realms${place.path}${suffix}`, locate: place.locate }));

/** Several paths to the same kind of target. */
export const either = <T>(...places: Places<T>[]): Places<T> => places.flat();
