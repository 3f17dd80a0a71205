/** A throw-away PostgreSQL server. */
export interface Cluster {
  /** the address of its database `postgres` */
  url: string;
  /** the process to which all its processes belong */
  pid(): number;
  /** Stops it, which ends all connections; its data stay. */
  halt(): Promise<void>;
  /** Ends it at once, without a word to anybody. */
  crash(): Promise<void>;
  /** Starts it again at the same address. */
  resume(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** A server that archives its log of writes. */
export interface ArchivedCluster extends Cluster {
  /** Copies its files, to be restored from. */
  backUp(): void;
  /** Starts another server with the copy, and with what was archived up to this moment (a timestamp of PostgreSQL). */
  restore(until: string): Promise<Cluster>;
}

/** Whom servers run as that refuse to run as root; nobody in particular for others than root. */
export function serverUser(): { uid?: number; gid?: number };
export function postgresqlBinaries(): string | undefined;
export function startPostgresql(options?: {
  durable?: boolean;
  preload?: string;
  replicated?: boolean;
  further?: Record<string, string>;
}): Promise<Cluster>;
export function startStandby(primary: Cluster): Promise<Cluster & { promote(): Promise<void> }>;
export function startArchived(): Promise<ArchivedCluster>;
