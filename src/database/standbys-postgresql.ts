import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Batch, decoded, type SentStatement, type StatementAnswer } from './batch-postgresql.js';
import { bare } from './waiting-postgresql.js';

/**
 * How far a server's data goes: which cluster it is, how often a standby of it was promoted (its timeline), and the position in the
 * log of writes.
 */
export interface Position {
  readonly cluster: string;
  readonly timeline: number;
  /** in bytes */
  readonly at: number;
}

const known = '(SELECT system_identifier::text FROM pg_control_system())';

/** Asks the server that takes writes. Whatever anybody was told is committed lies before the position. */
export const primaryPosition = `SELECT ${known}, ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int,
  pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')`;

/** Asks a standby. A server that was promoted has no position as a standby. */
export const standbyPosition = `SELECT ${known}, (SELECT timeline_id FROM pg_control_checkpoint()),
  CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') ELSE 0 END`;

/** The row of either statement. */
export const positionIn = ([row = []]: unknown[][]): Position => ({
  cluster: String(row[0]),
  timeline: Number(row[1]),
  at: Number(row[2]),
});

/** In milliseconds: how long a read waits for a standby, how often that is asked meanwhile, how long one that was late is left alone. */
const times = { patience: 30, between: 2, aside: 1000 };
/** The code of a statement that took too long, which would take as long elsewhere. */
const timedOut = '57014';

interface Waiter {
  readonly position: Position;
  readonly until: number;
  resolve(isReached: boolean): void;
}

/** A standby, and how far it is known to have come. */
class Standby {
  running = 0;
  /** the number of the last read that was sent there */
  turn = 0;
  readonly #pool: Pool;
  #reached: Position = { cluster: '', timeline: 0, at: 0 };
  #waiters: Waiter[] = [];
  #isAsking = false;
  #asideUntil = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get isUsable(): boolean {
    return performance.now() >= this.#asideUntil;
  }

  setAside(): void {
    this.#asideUntil = performance.now() + times.aside;
  }

  /** Whether it has everything up to the position, or gets it in time. */
  async reaches(position: Position): Promise<boolean> {
    if (this.#has(position)) return true;
    const isReached = await new Promise<boolean>((resolve) => {
      this.#waiters.push({ position, until: performance.now() + times.patience, resolve });
      // it may never answer
      setTimeout(() => resolve(false), times.patience).unref();
      if (!this.#isAsking) void this.#ask();
    });
    if (!isReached) this.setAside();
    return isReached;
  }

  async query(statement: SentStatement): Promise<StatementAnswer> {
    this.running += 1;
    try {
      return await this.#send(statement);
    } finally {
      this.running -= 1;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #has({ cluster, timeline, at }: Position): boolean {
    const { cluster: own, timeline: present, at: reached } = this.#reached;
    return own === cluster && present === timeline && reached >= at;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiters.length > 0) {
      try {
        this.#reached = positionIn(
          decoded(await this.#send({ ...bare(standbyPosition, 'position'), wantsRows: true })),
        );
      } catch {
        for (const { resolve } of this.#waiters.splice(0)) resolve(false);
        break;
      }
      this.#waiters = this.#waiters.filter((waiter) => {
        if (this.#has(waiter.position)) waiter.resolve(true);
        return !this.#has(waiter.position) && performance.now() < waiter.until;
      });
      if (this.#waiters.length > 0) await sleep(times.between);
    }
    this.#isAsking = false;
  }

  async #send(statement: SentStatement): Promise<StatementAnswer> {
    const client = await this.#pool.connect();
    try {
      const [answer] = await client.query(new Batch([statement], true)).done;
      return answer as StatementAnswer;
    } finally {
      client.release();
    }
  }
}

/** Servers that follow the one that takes writes. */
export interface Standbys {
  /**
   * The answer of a standby that has everything that was committed before the call; undefined where none can give it, so that
   * the primary has to. Throws if the statement takes too long.
   */
  ask(statement: SentStatement): Promise<StatementAnswer | undefined>;
  close(): Promise<void>;
}

/** `positionOfPrimary` asks for `primaryPosition`. */
export function standbysOf(pools: readonly Pool[], positionOfPrimary: () => Promise<Position>): Standbys {
  const all = pools.map((pool) => new Standby(pool));
  let turns = 0;
  /** The one that has the least to do, or has had it the longest. */
  const choose = (): Standby | undefined => {
    const [chosen] = all
      .filter(({ isUsable }) => isUsable)
      .sort((one, other) => one.running - other.running || one.turn - other.turn);
    turns += 1;
    if (chosen) chosen.turn = turns;
    return chosen;
  };
  let next: Promise<Position> | undefined;
  /** Reads that are asked for at the same moment share the answer; it has to be asked for after all of them. */
  const position = (): Promise<Position> => {
    next ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        next = undefined;
        positionOfPrimary().then(resolve, reject);
      });
    });
    return next;
  };
  return {
    async ask(statement) {
      const standby = choose();
      if (!standby) return undefined;
      try {
        return (await standby.reaches(await position())) ? await standby.query(statement) : undefined;
      } catch (error) {
        if (codeOf(error) === timedOut) throw error;
        standby.setAside();
        return undefined;
      }
    },
    async close() {
      await Promise.all(all.map((standby) => standby.close()));
    },
  };
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
