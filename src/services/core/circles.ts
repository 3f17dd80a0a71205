import { listsByKey } from './lists-by-key.js';

/** A directed link between two objects. */
export type Edge = readonly [from: string, to: string];

/** Returns an object that leads back to itself, directly or through others. */
export function memberOfCircle(edges: readonly Edge[]): string | undefined {
  const targets = listsByKey(edges);
  const sources = new Map<string, number>();
  for (const [, to] of edges) sources.set(to, (sources.get(to) ?? 0) + 1);
  const isLeft = (id: string): boolean => (sources.get(id) ?? 0) > 0;
  // IDs without incoming edges are in no circle, nor are IDs that are reached only from them
  const free = [...targets.keys()].filter((id) => !sources.has(id));
  for (const id of free) {
    for (const next of targets.get(id) ?? []) {
      const rest = (sources.get(next) ?? 0) - 1;
      sources.set(next, rest);
      if (rest === 0) free.push(next);
    }
  }
  // each remaining ID is in a circle or below one: going up from it leads into the circle
  const above = new Map(edges.flatMap(([from, to]) => (isLeft(from) ? [[to, from]] : [])));
  const seen = new Set<string>();
  let at = above.values().next().value;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    at = above.get(at);
  }
  return at;
}

/** Returns a function that tells whether one of these edges is in a circle. */
export function edgesInCircles(edges: readonly Edge[]): (edge: Edge) => boolean {
  if (memberOfCircle(edges) === undefined) return () => false;
  const targets = listsByKey(edges);
  return ([from, to]) => {
    const reached = new Set([to]);
    for (const id of reached) for (const next of targets.get(id) ?? []) reached.add(next);
    return reached.has(from);
  };
}
