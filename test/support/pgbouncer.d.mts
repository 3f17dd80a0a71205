export const hasPgbouncer: boolean;
/**
 * A throw-away PgBouncer in transaction mode in front of a database; `url` leads to that through it. `lead` has it use another server,
 * while its clients stay connected.
 */
export function startPgbouncer(
  databaseUrl: string,
): Promise<{ url: string; lead(databaseUrl: string): void; stop(): Promise<void> }>;
