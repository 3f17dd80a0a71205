import { AsyncLocalStorage } from 'node:async_hooks';

/** Slow work that parts of a shared transaction have requested, and its outcomes. */
export interface DeferredWork {
  /**
   * Runs the work of a part. Requests for deferred work are counted from 1 in each attempt of the part, so that a
   * repeated request gets its known outcome.
   */
  within<R>(part: string, run: () => Promise<R>): Promise<R>;
  /** Whether requested work has no outcome yet. `decisive`: only work that decides on the result of the transaction. */
  isOpen(asked?: { decisive: boolean }): boolean;
  /** Forgets the requests, because the transaction begins again. */
  begin(): void;
  /** Does the requested work. Call it when no transaction is open. */
  settle(asked?: { decisive: boolean }): Promise<void>;
}

interface Asked {
  work: () => Promise<unknown>;
  isDecisive: boolean;
}

interface Deferring {
  part: string;
  places: Map<string, number>;
  known: Map<string, PromiseSettledResult<unknown>>;
  open: Map<string, Asked>;
  /** whether work is done immediately */
  isOver: boolean;
}

/** Thrown if the outcome of slow work is needed: the transaction is rolled back, and begins again with the outcome. */
class OutcomeMissing extends Error {
  constructor() {
    super('Slow work is done before the transaction begins again');
  }
}

/** Whether a part of a transaction could not go on without the outcome of slow work. */
export const isOutcomeMissing = (error: unknown): boolean => error instanceof OutcomeMissing;

const deferring = new AsyncLocalStorage<Deferring>();

/** How many times a transaction may begin again for slow work. */
const mostRounds = 10;
/** Maximum concurrent work: it has queues of its own, in which no request may take too many places. */
const together = 8;

/** Keeps slow work out of a shared transaction, in which other writers wait. */
export function deferredWork(): DeferredWork {
  const known: Deferring['known'] = new Map();
  const open: Deferring['open'] = new Map();
  let rounds = 0;
  const wanted = (decisive: boolean) => [...open].filter(([, { isDecisive }]) => isDecisive || !decisive);
  return {
    within: (part, run) => deferring.run({ part, places: new Map(), known, open, isOver: rounds >= mostRounds }, run),
    isOpen: ({ decisive } = { decisive: false }) => wanted(decisive).length > 0,
    begin: () => open.clear(),
    async settle({ decisive } = { decisive: false }) {
      const asked = wanted(decisive);
      rounds += 1;
      for (let at = 0; at < asked.length; at += together) {
        const some = asked.slice(at, at + together);
        const outcomes = await Promise.allSettled(some.map(([, { work }]) => work()));
        some.forEach(([key], index) => {
          known.set(key, outcomes[index] as PromiseSettledResult<unknown>);
        });
      }
    },
  };
}

/**
 * Does slow work, such as hashing a password or calling another server. Within a shared transaction the work is done
 * while no transaction is open, and the transaction begins again with its outcome. Until then, `assumed` stands for the
 * outcome; without it the transaction is rolled back at once. `isDecisive`: the result depends on the outcome, so a dry
 * run needs it, too. `what` names the work.
 */
export async function outsideTransaction<T>(
  what: string,
  work: () => Promise<T>,
  { assumed, isDecisive = assumed === undefined }: { assumed?: () => T; isDecisive?: boolean } = {},
): Promise<T> {
  const at = deferring.getStore();
  if (!at) return work();
  const place = (at.places.get(what) ?? 0) + 1;
  at.places.set(what, place);
  const key = JSON.stringify([at.part, what, place]);
  const outcome = at.known.get(key) as PromiseSettledResult<T> | undefined;
  if (outcome?.status === 'fulfilled') return outcome.value;
  if (outcome) throw outcome.reason;
  if (at.isOver) return work();
  at.open.set(key, { work, isDecisive });
  if (!assumed) throw new OutcomeMissing();
  return assumed();
}
