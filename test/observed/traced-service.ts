import { freshDatabaseUrl } from '../support/database.js';
import { login } from '../support/fixture.js';
import { ready, start } from '../support/process.js';
import type { Collector, ExportedSpan } from './collector.js';

/** The password of the administrator of the service. */
export const password = 'secret-of-the-administrator';

/** The trace of a test, and the span in it that its requests belong to. */
export const traceId = '0af7651916cd43dd8448eb211c80319c';
export const spanId = 'b7ad6b7169203331';

/** The header that names them. */
export const traceparent = `00-${traceId}-${spanId}-01`;

/** Starts the service with a new database and these settings. `token` logs its administrator in. */
export async function startedWith(settings: Record<string, string>) {
  const run = start({
    DATABASE_URL: await freshDatabaseUrl(),
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'debug',
    FETCH_PRIVATE_ADDRESSES: 'true',
    ...settings,
  });
  const url = await ready(run);
  return { run, url, token: () => login({ url }, 'master', 'admin', password) };
}

/** The spans of the trace of the test's own requests. */
export const ownSpans = (collector: Collector): ExportedSpan[] =>
  collector.spans().filter((span) => span.traceId === traceId);
