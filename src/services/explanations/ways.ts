import { listsByKey } from '../core/lists-by-key.js';
import { mostReasons } from './reasons.js';
import type { Step } from './store.js';

/** A way in which a user has an administration role. */
export interface Way {
  /** the right of the administration role, e.g. manage-users */
  right: string;
  isGranting: boolean;
  /** from the user's direct group up to the group with the role; empty for a role of the user */
  groups: string[];
  /** from the role that the user or the group has to the administration role */
  roles: string[];
}

/** Maximum roles, and maximum groups, of all ways in an explanation. */
export const mostSteps = 900;

/** Maximum roles, and maximum groups, of one way: the middle of a longer one is left out. */
const longestWay = 100;

type Edges = ReadonlyMap<string, readonly string[]>;

/** The sources of steps of a kind by their targets, or vice versa. */
function edgesOf(steps: readonly Step[], kind: Step['kind'], from: 'source' | 'target'): Edges {
  const to = from === 'source' ? 'target' : 'source';
  return listsByKey(steps.filter((step) => step.kind === kind).map((step) => [step[from], step[to]]));
}

/** A role or group, and its predecessor on the shortest path from a start. */
interface Place {
  id: string;
  before: Place | undefined;
  /** places on the path, with this one */
  length: number;
}

/** Everything that edges lead to from the starts, breadth first. Ends on cycles too. */
function placesFrom(starts: readonly string[], edges: Edges): ReadonlyMap<string, Place> {
  const places = new Map(starts.map((id): [string, Place] => [id, { id, before: undefined, length: 1 }]));
  // a loop over a map also visits entries that are added during the loop
  for (const place of places.values()) {
    for (const id of edges.get(place.id) ?? []) {
      if (!places.has(id)) places.set(id, { id, before: place, length: place.length + 1 });
    }
  }
  return places;
}

/** The path back from a place to the start. */
function pathFrom(end: Place | undefined): string[] {
  const path: string[] = [];
  for (let at = end; at; at = at.before) path.push(at.id);
  return path;
}

const shownLength = (end: Place | undefined): number => Math.min(end?.length ?? 0, longestWay);

/** The ends of a path that is too long. */
const shortened = (path: readonly string[]): string[] =>
  path.length <= longestWay ? [...path] : [...path.slice(0, longestWay / 2), ...path.slice(-longestWay / 2)];

/** A way in compact form. */
interface Candidate {
  right: string;
  isGranting: boolean;
  group: Place | undefined;
  role: Place;
}

const length = ({ group, role }: Candidate): number => (group?.length ?? 0) + role.length;

function candidatesOf(steps: readonly Step[], isGranting: (right: Step) => boolean): Candidate[] {
  const of = (kind: Step['kind']) => steps.filter((step) => step.kind === kind);
  const containers = edgesOf(steps, 'composite', 'target');
  const groups = placesFrom(
    of('member').map(({ target }) => target),
    edgesOf(steps, 'parent', 'source'),
  );
  const begun = [...of('mapped'), ...of('given')];
  return of('right').flatMap((step) => {
    const roles = placesFrom([step.source], containers);
    const own = { right: step.target, isGranting: isGranting(step) };
    return begun.flatMap(({ kind, source, target }): Candidate[] => {
      const role = roles.get(target);
      return role ? [{ ...own, group: kind === 'given' ? groups.get(source) : undefined, role }] : [];
    });
  });
}

/**
 * The ways that steps form. For each administration role, these are the shortest ways from each role of the user and of
 * its groups. Granting ways come first, then short ones, at most `mostReasons` with `mostSteps` in all. Only these are
 * written out.
 */
export function shortestWays(
  steps: readonly Step[],
  isGranting: (right: Step) => boolean,
): { ways: Way[]; hasMore: boolean } {
  const candidates = candidatesOf(steps, isGranting).toSorted(
    (one, other) => Number(other.isGranting) - Number(one.isGranting) || length(one) - length(other),
  );
  const left = { groups: mostSteps, roles: mostSteps };
  const few = candidates.slice(0, mostReasons);
  const tooMany = few.findIndex(({ group, role }) => {
    left.groups -= shownLength(group);
    left.roles -= shownLength(role);
    return left.groups < 0 || left.roles < 0;
  });
  const chosen = tooMany < 0 ? few : few.slice(0, tooMany);
  const isShortened = chosen.some(({ group, role }) => Math.max(group?.length ?? 0, role.length) > longestWay);
  return {
    ways: chosen.map(({ right, isGranting, group, role }) => ({
      right,
      isGranting,
      groups: shortened(pathFrom(group).toReversed()),
      roles: shortened(pathFrom(role)),
    })),
    hasMore: chosen.length < candidates.length || isShortened,
  };
}
