export const hasPgbouncer: boolean;
/** A throw-away PgBouncer in transaction mode in front of a database; `url` leads to that through it. */
export function startPgbouncer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }>;
