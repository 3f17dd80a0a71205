/** How long one piece of work, or requests that begin, may keep a process from all others without a break, in milliseconds. */
const longest = 10;

let present = 0;
let isCounted = false;

/** The number of the current turn of the event loop. */
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

/**
 * Returns a function that tells whether time is left in the present turn of the event loop: ten milliseconds from its
 * first call in the turn.
 */
export function timeInTurn(): () => boolean {
  let mine: number | undefined;
  let began = 0;
  return () => {
    const now = performance.now();
    if (mine !== turn()) {
      mine = turn();
      began = now;
    }
    return now - began < longest;
  };
}

/** A function to await between the parts of a piece of work; undefined if it may go on at once. */
export type Pause = () => Promise<void> | undefined;

/** Maps many items with breaks, as one piece of work, or as a part of the piece that has this `pause`. */
export async function inTurns<T, R>(
  all: readonly T[],
  make: (one: T) => R,
  pause: Pause = sharedBreaks(),
): Promise<R[]> {
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
  const pause = sharedBreaks();
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
 * Returns a function for one piece of work to await between its parts. After ten milliseconds of work in one turn of
 * the event loop, it lets other requests run first. For work that makes others wait until it is done, such as a
 * transaction. All other long work uses `sharedBreaks`.
 */
export function breaks(): Pause {
  const hasTimeLeft = timeInTurn();
  return () => {
    if (hasTimeLeft()) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        // the following work is in a new turn, which begins here and not with the next break
        hasTimeLeft();
        resolve();
      }),
    );
  };
}

/** The breaks of work with rows of a database. `atOnce` as for `sharedBreaks`. */
export const breaksIn = ({ isInTransaction }: { isInTransaction: boolean }, atOnce?: number): Pause =>
  isInTransaction ? breaks() : sharedBreaks(atOnce);

/** Milliseconds in one turn of the event loop for all pieces of work with shared breaks together. */
const shared = 2;
/** A turn is quiet if requests took less than this number of milliseconds. */
const quiet = 0.5;
/** Milliseconds after which a piece of work runs although requests are busy: it then gets a sixth of the time. */
const patience = 10;

interface Waiting {
  piece: object;
  resume: () => void;
}

const waiting: Waiting[] = [];
/** The piece of work that is running in this turn, and the end of its time. */
let working: object | undefined;
let until = 0;
let isWatching = false;
let lookedAt = 0;
let workedAt = 0;

function begin(piece: object): void {
  working = piece;
  until = performance.now() + shared;
  watch();
}

/** Checks once in each turn of the event loop whether the next piece of work may run, as long as there is any. */
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  lookedAt = performance.now();
  setImmediate(look);
}

function look(): void {
  const now = performance.now();
  const wasQuiet = now - lookedAt < quiet;
  lookedAt = now;
  if (working) workedAt = now;
  const mayWork = !working && (wasQuiet || now - workedAt > patience);
  working = undefined;
  const [next] = waiting;
  isWatching = next !== undefined;
  if (!next) return;
  setImmediate(look);
  if (!mayWork) return;
  waiting.shift();
  working = next.piece;
  until = now + shared;
  next.resume();
}

/**
 * Like `breaks`, for work that nobody else waits for. All pieces of such work together get two milliseconds, one piece
 * in each turn of the event loop. They then wait until all requests in the queue are done, but at most ten
 * milliseconds. A short request thus waits for one part of long work, regardless of the number of callers. A piece may
 * take `atOnce` milliseconds before it waits for its turn.
 */
export function sharedBreaks(atOnce = 1): Pause {
  const piece = {};
  let free: number | undefined;
  return () => {
    const now = performance.now();
    free ??= now + atOnce;
    if (now < free || (working === piece && now < until)) return undefined;
    if (!working && waiting.length === 0) {
      begin(piece);
      return undefined;
    }
    return new Promise((resume) => {
      waiting.push({ piece, resume });
      watch();
    });
  };
}
