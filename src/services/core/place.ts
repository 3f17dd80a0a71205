import { AsyncLocalStorage } from 'node:async_hooks';

/** The place of a request among the running requests. */
interface Place {
  /** returns the place; does nothing if it was already returned */
  leave(): void;
  /** parts of the request that wait outside of the place at present */
  outside: number;
  isOver: boolean;
  comeBack(): Promise<() => void>;
}

const places = new AsyncLocalStorage<Place>();
/** Whether a request of this process has waited for another server yet. */
let isUsed = false;

/**
 * Runs a request that has a place, which `leave` returns. `comeBack` waits for another place, and is never refused. All
 * requests keep their places until one waits for another server for the first time. Async context tracking costs Node
 * 20 a few percent of all work, and many services have no directory.
 */
export async function inPlace<R>(
  leave: () => void,
  comeBack: () => Promise<() => void>,
  work: () => Promise<R>,
): Promise<R> {
  const place: Place = { leave, comeBack, outside: 0, isOver: false };
  try {
    return await (isUsed ? places.run(place, work) : work());
  } finally {
    place.isOver = true;
    place.leave();
  }
}

/**
 * Does work that only waits for another server. The request gives its place to others for that time, so that a server
 * that does not answer holds up no other request.
 */
export async function withoutPlace<R>(work: () => Promise<R>): Promise<R> {
  isUsed = true;
  const place = places.getStore();
  if (!place || place.isOver) return work();
  place.outside += 1;
  place.leave();
  try {
    return await work();
  } finally {
    place.outside -= 1;
    if (place.outside === 0 && !place.isOver) await returned(place);
  }
}

async function returned(place: Place): Promise<void> {
  const leave = await place.comeBack();
  // in the meantime another part of the request may be back already, or have left again
  if (place.isOver || place.outside > 0) leave();
  else {
    place.leave();
    place.leave = leave;
  }
}

/** Does work that other requests share, which is independent of the place of the request that began it. */
export const detached = <R>(work: () => R): R => places.exit(work);
