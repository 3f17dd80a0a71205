import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Batch, decoded, type SentStatement, type StatementAnswer } from './batch-postgresql.js';
import type { StandbyLag } from './db.js';
import { identitySql } from './server-identity-postgresql.js';
import { bare } from './waiting-postgresql.js';

/**
 * The position of a server's data: its cluster, its timeline (how often a standby of it was promoted), and the position
 * in the log of writes.
 */
export interface Position {
  readonly cluster: string;
  readonly timeline: number;
  /** in bytes */
  readonly at: number;
}

/**
 * Asks the writable server. All commits that were reported to callers lie before the position, even if commits do not
 * wait for the disk.
 */
export const primaryPosition = `SELECT ${identitySql.systemIdentifier}, ${identitySql.timeline},
  pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0')`;

/** Asks a standby. A promoted server has no position as a standby. */
export const standbyPosition = `SELECT ${identitySql.systemIdentifier}, (SELECT timeline_id FROM pg_control_checkpoint()),
  CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') ELSE 0 END`;

/** `standbyPosition` with the age of the last write that the standby has applied. */
const standbyAge = `${standbyPosition}, extract(epoch FROM now() - pg_last_xact_replay_timestamp())`;

/** The position in the row of either statement. */
export const positionIn = ([row = []]: unknown[][]): Position => ({
  cluster: String(row[0]),
  timeline: Number(row[1]),
  at: Number(row[2]),
});

/**
 * In milliseconds. `patience`: a read waits for a standby. `between`: interval of these checks. `aside`: a late standby
 * is not used. `sign`: interval in which a slow standby must show that it is alive. `lag`: limit of the query for its
 * lag.
 */
const times = { patience: 30, between: 2, aside: 1000, sign: 1000, lag: 500 };
/**
 * Codes of a statement that took too long, or has values that no server accepts: the primary would refuse it as well.
 */
const wouldFailAnywhere = /^(57014|22...)$/;
/** Codes of a statement that conflicts with rows that the primary has removed. The standby remains usable. */
const conflicted = /^40...$/;

interface Waiter {
  readonly position: Position;
  readonly until: number;
  resolve(isReached: boolean): void;
}

const asked = { ...bare(standbyPosition, 'position'), wantsRows: true };

/** Connections to a standby: for reads, and one for its position, which no long read occupies. */
export interface StandbyPools {
  readonly reads: Pool;
  readonly positions: Pool;
}

/** A standby, with its last known position. */
class Standby {
  running = 0;
  /** the number of the last read that was sent there */
  turn = 0;
  readonly #pool: Pool;
  readonly #positions: Pool;
  #reached: Position = { cluster: '', timeline: 0, at: 0 };
  #waiters: Waiter[] = [];
  #isAsking = false;
  #asideUntil = 0;

  constructor({ reads, positions }: StandbyPools) {
    this.#pool = reads;
    this.#positions = positions;
  }

  /** Reads never queue for a connection: the primary has free ones as well. */
  get isUsable(): boolean {
    return performance.now() >= this.#asideUntil && this.running < (this.#pool.options.max ?? 1);
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

  /**
   * The answer, if its server has everything up to the position: it can be another server than before, an older backup
   * or a promoted one. Undefined also if the server no longer answers.
   */
  async query(statement: SentStatement, position: Position): Promise<StatementAnswer | undefined> {
    this.running += 1;
    const answers = this.#send(this.#pool, [asked, statement]).finally(() => {
      this.running -= 1;
    });
    const [where, answer] = (await Promise.race([answers, this.#silence(answers)])) ?? [];
    if (!where) return undefined;
    this.#reached = positionIn(decoded(where));
    return this.#has(position) ? answer : undefined;
  }

  /** The lag behind the position of the primary. */
  async lag({ cluster, timeline, at }: Position): Promise<Omit<StandbyLag, 'standby'>> {
    const sent = this.#send(this.#positions, [{ ...bare(standbyAge, 'age of a standby'), wantsRows: true }]).then(
      ([answer]) => decoded(answer as StatementAnswer),
    );
    const rows = await Promise.race([sent, sleep(times.lag, [], { ref: false })]).catch(() => []);
    const own = positionIn(rows);
    const follows = own.cluster === cluster && own.timeline === timeline && own.at > 0;
    const bytes = follows ? Math.max(at - own.at, 0) : 0;
    return { follows, bytes, seconds: bytes > 0 ? Math.max(Number(rows[0]?.[3] ?? 0), 0) : 0 };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#positions.end()]);
  }

  /** Resolves when the standby shows no sign of life while it should answer. */
  #silence(answers: Promise<unknown>): Promise<undefined> {
    return new Promise((resolve) => {
      const timer = setInterval(async () => {
        const sign = this.#send(this.#positions, [asked]).then(
          () => true,
          () => false,
        );
        if (!(await Promise.race([sign, sleep(times.sign, false, { ref: false })]))) resolve(undefined);
      }, times.sign).unref();
      const stop = (): void => clearInterval(timer);
      answers.then(stop, stop);
    });
  }

  #has({ cluster, timeline, at }: Position): boolean {
    const { cluster: own, timeline: present, at: reached } = this.#reached;
    return own === cluster && present === timeline && reached >= at;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiters.length > 0) {
      try {
        const [answer] = await this.#send(this.#positions, [asked]);
        this.#reached = positionIn(decoded(answer as StatementAnswer));
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

  async #send(pool: Pool, statements: readonly SentStatement[]): Promise<StatementAnswer[]> {
    const client = await pool.connect();
    try {
      return await client.query(new Batch(statements, true)).done;
    } finally {
      client.release();
    }
  }
}

/** Servers that follow the primary. */
export interface Standbys {
  /**
   * The answer of a standby that has all commits before the call. Undefined if no standby can answer, so that the
   * primary has to. Throws if the statement takes too long.
   */
  ask(statement: SentStatement): Promise<StatementAnswer | undefined>;
  /** The lag of each behind the primary, in their order. */
  lags(): Promise<StandbyLag[]>;
  close(): Promise<void>;
}

/** `positionOfPrimary` runs `primaryPosition`. */
export function standbysOf(pools: readonly StandbyPools[], positionOfPrimary: () => Promise<Position>): Standbys {
  const all = pools.map((one) => new Standby(one));
  let turns = 0;
  /** The standby with the fewest running reads; if equal, the one that was chosen least recently. */
  const choose = (): Standby | undefined => {
    const [chosen] = all
      .filter(({ isUsable }) => isUsable)
      .sort((one, other) => one.running - other.running || one.turn - other.turn);
    turns += 1;
    if (chosen) chosen.turn = turns;
    return chosen;
  };
  let next: Promise<Position> | undefined;
  /** Reads of the same moment share the answer; the position must be read after all of them were requested. */
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
        const wanted = await position();
        if (!(await standby.reaches(wanted))) return undefined;
        const answer = await standby.query(statement, wanted);
        if (!answer) standby.setAside();
        return answer;
      } catch (error) {
        if (wouldFailAnywhere.test(codeOf(error))) throw error;
        if (!conflicted.test(codeOf(error))) standby.setAside();
        return undefined;
      }
    },
    async lags() {
      // a hanging primary is not waited for: the other metrics are needed most in this case
      const primary = await Promise.race([position(), sleep(times.lag, undefined, { ref: false })]);
      if (!primary) return [];
      return Promise.all(all.map(async (one, standby) => ({ standby, ...(await one.lag(primary)) })));
    },
    async close() {
      await Promise.all(all.map((standby) => standby.close()));
    },
  };
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
