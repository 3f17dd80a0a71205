import { DatabaseUnusable } from './unusable.js';

/** The row in which the processes that share a database agree on its newest timeline. */
export interface ClusterRecord {
  readonly systemIdentifier: string;
  readonly timeline: number;
  /** Random ID. It distinguishes servers that were both promoted to this timeline. */
  readonly branch: string;
}

/** The identity that a writable PostgreSQL server reports of itself. */
export interface ServerIdentity {
  /** Random number that initdb gives a cluster. Its standbys and physical copies have the same one. */
  readonly systemIdentifier: string;
  /** The number that each promotion of a standby increments. */
  readonly timeline: number;
  /** undefined in a database without a record */
  readonly record: ClusterRecord | undefined;
}

/** The newest state of the database that this process knows. `branch` is undefined until it is recorded. */
export type KnownCluster = Omit<ClusterRecord, 'branch'> & { readonly branch: string | undefined };

type Objection = 'behind' | 'diverged' | 'foreign' | 'restored';

/**
 * A server that must not be used, because its data is not the data of this database. The message has the reason and the
 * remedy.
 */
export class ServerRefused extends DatabaseUnusable {
  readonly objection: Objection;

  constructor(objection: Objection, message: string) {
    super(message);
    this.name = 'ServerRefused';
    this.objection = objection;
  }
}

/** Events of the hosts of a database that an operator needs to know. Each is reported once. */
export interface FenceReport {
  /** A standby was promoted, and this process uses it from now on. */
  switched(host: string, timeline: number, previous: number): void;
  refused(host: string, message: string): void;
  /** A host that was refused is a standby or the primary again. */
  accepted(host: string): void;
  /** The server does not report its timeline, so that nothing can be compared. */
  unidentified(host: string, error: unknown): void;
}

/**
 * Keeps one process from using two databases at once: a primary that returns after the promotion of its standby still takes writes.
 * Remembers the newest timeline, and refuses servers that are behind. Timelines are compared within one system identifier only.
 */
export class Fence {
  #known: KnownCluster | undefined;
  /** timeline of the server that was admitted last */
  #used: number | undefined;
  readonly #connections = new Map<object, { readonly timeline: number; readonly end: () => void }>();
  readonly #refused = new Map<string, string>();
  readonly #unidentified = new Set<string>();
  readonly #report: Partial<FenceReport>;

  constructor(report: Partial<FenceReport> = {}) {
    this.#report = report;
  }

  get known(): KnownCluster | undefined {
    return this.#known;
  }

  /** Why a server must not be used; undefined if it may. */
  objectionTo({ systemIdentifier, timeline, record }: ServerIdentity): Objection | undefined {
    const known = this.#known;
    if (isOther(known, systemIdentifier)) return 'foreign';
    if (record && record.systemIdentifier !== systemIdentifier) return 'restored';
    if (timeline < Math.max(known?.timeline ?? 0, record?.timeline ?? 0)) return 'behind';
    const isNamed = known?.timeline === timeline && known.branch !== undefined;
    return isNamed && known.branch !== record?.branch ? 'diverged' : undefined;
  }

  /**
   * Throws ServerRefused if the server of a host is behind, or belongs to another database. Ends the connections to
   * servers that are behind this one.
   */
  admit(host: string, { systemIdentifier, timeline, record }: ServerIdentity): void {
    const objection = this.objectionTo({ systemIdentifier, timeline, record });
    // another process has seen the newer timeline
    if (record && record.systemIdentifier === systemIdentifier && !isOther(this.#known, systemIdentifier)) {
      if (record.timeline > (this.#known?.timeline ?? 0)) this.#learn(record);
    }
    if (objection) {
      const message = this.#messageOf(objection, host, { systemIdentifier, timeline, record });
      if (this.#refused.get(host) !== message) this.#report.refused?.(host, message);
      this.#refused.set(host, message);
      throw new ServerRefused(objection, message);
    }
    this.accept(host);
    const before = this.#used ?? record?.timeline ?? timeline;
    this.#used = timeline;
    if (this.#known?.timeline !== timeline) {
      this.#learn({ systemIdentifier, timeline, branch: record?.timeline === timeline ? record.branch : undefined });
    }
    if (before !== timeline) this.#report.switched?.(host, timeline, before);
  }

  /** Notes that a host may be used, or follows the primary. */
  accept(host: string): void {
    if (this.#refused.delete(host)) this.#report.accepted?.(host);
  }

  /** Notes the record of the newest timeline, once it is stored. */
  recorded(record: ClusterRecord): void {
    const { systemIdentifier, timeline } = record;
    const isNewest = this.#known?.systemIdentifier === systemIdentifier && this.#known.timeline === timeline;
    if (isNewest && this.#known?.branch === undefined) this.#known = record;
  }

  /** Reports that the server of a host cannot be compared with others. */
  unidentified(host: string, error: unknown): void {
    if (this.#unidentified.has(host)) return;
    this.#unidentified.add(host);
    this.#report.unidentified?.(host, error);
  }

  /** Calls `end` as soon as a newer timeline than the connection's is known, until the returned function is called. */
  hold(connection: object, timeline: number, end: () => void): () => void {
    if (timeline < (this.#known?.timeline ?? 0)) end();
    this.#connections.set(connection, { timeline, end });
    return () => void this.#connections.delete(connection);
  }

  #learn(known: KnownCluster): void {
    this.#known = known;
    for (const [connection, { timeline, end }] of this.#connections) {
      if (timeline >= known.timeline) continue;
      this.#connections.delete(connection);
      end();
    }
  }

  #messageOf(objection: Objection, host: string, { systemIdentifier, timeline, record }: ServerIdentity): string {
    const newest = Math.max(this.#known?.timeline ?? 0, record?.timeline ?? 0);
    switch (objection) {
      case 'foreign':
        return `The server ${host} has the system identifier ${systemIdentifier}, but the database is that of ${this.#known?.systemIdentifier}. Correct DATABASE_URL, or restart the service if the database was moved.`;
      case 'restored':
        return `The database on ${host} comes from the cluster ${record?.systemIdentifier}, but the system identifier of the server is ${systemIdentifier}. If it was restored or upgraded, and nothing writes to the old one, run \`realmgate accept-database ${systemIdentifier}\`.`;
      case 'behind':
        return `The server ${host} is behind: its timeline is ${timeline}, and the newest one is ${newest}. A standby was promoted in its place. Stop it, and make it a standby again (pg_rewind).`;
      case 'diverged':
        return `The server ${host} was promoted to timeline ${timeline}, and so was the one in use. Stop the one whose writes are to be discarded.`;
    }
  }
}

const isOther = (known: KnownCluster | undefined, systemIdentifier: string): boolean =>
  known !== undefined && known.systemIdentifier !== systemIdentifier;
