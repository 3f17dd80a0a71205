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

export function postgresqlBinaries(): string | undefined;
export function startPostgresql(options?: {
  durable?: boolean;
  preload?: string;
  replicated?: boolean;
}): Promise<Cluster>;
export function startStandby(primary: Cluster): Promise<Cluster & { promote(): Promise<void> }>;
