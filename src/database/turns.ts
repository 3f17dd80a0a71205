/** How long one piece of work may keep a process from all others without a break, in milliseconds. */
const longest = 10;

let present = 0;
let isCounted = false;

/** The number of the present turn of the event loop. */
function turn(): number {
  if (!isCounted) {
    isCounted = true;
    setImmediate(() => {
      present += 1;
      isCounted = false;
    });
  }
  return present;
}

/** Makes something of each of many, as one piece of work. */
export async function inTurns<T, R>(all: readonly T[], make: (one: T) => R): Promise<R[]> {
  const pause = breaks();
  const made: R[] = [];
  for (const one of all) {
    const turnOver = pause();
    if (turnOver) await turnOver;
    made.push(make(one));
  }
  return made;
}

/** Returns a function that does pieces of work one after the other, as one piece of work with breaks. */
export function oneByOne(): <R>(work: () => R) => Promise<R> {
  const pause = breaks();
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(async () => {
      await pause();
      return work();
    });
    last = done.catch(() => undefined);
    return done;
  };
}

/**
 * Returns a function for one piece of work to await between its parts, where nothing that it waits for takes any time: as soon as it
 * has worked for ten milliseconds in one turn of the event loop, what has arrived in the meantime comes first.
 */
export function breaks(): () => Promise<void> | undefined {
  let mine: number | undefined;
  let began = 0;
  return () => {
    const now = turn();
    if (mine !== now) {
      mine = now;
      began = performance.now();
      return undefined;
    }
    if (performance.now() - began < longest) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
