import { administrator, type Caller } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

/** The administrator of the master realm, whose token lasts as long as any test. */
export async function lastingAdministrator(server: TestServer): Promise<Caller> {
  const first = await administrator(server);
  await first.send('PUT', '/master', { accessTokenLifespan: 36_000, ssoSessionIdleTimeout: 36_000 });
  return administrator(server);
}
