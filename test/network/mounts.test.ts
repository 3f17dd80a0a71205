import { describe, expect, it } from 'vitest';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';

/** What an administrator, and somebody without a token, get at both addresses of the list of roles. */
async function seen(restMount: 'both' | 'admin' | 'documented') {
  const server = await startServer({ restMount });
  const admin = await administrator(server);
  const addresses = ['/admin/realms/master/roles', '/master/roles'];
  const anonymous = (path: string) => fetch(`${server.url}/auth${path}`).then(({ status }) => status);
  return Promise.all(
    addresses.flatMap((path) => [admin.send('GET', path).then(({ status }) => status), anonymous(path)]),
  );
}

describe('the addresses of the REST API', () => {
  it('are both open, or one is turned off, of which nobody is told without a token', async () => {
    expect(await seen('both')).toEqual([200, 401, 200, 401]);
    expect(await seen('admin')).toEqual([200, 401, 404, 401]);
    expect(await seen('documented')).toEqual([404, 401, 200, 401]);
  });
});
