// @thorough
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { ready, start } from '../support/process.js';

/** What the process may use for its objects, in megabytes; idle it uses about half of that. */
const heap = 80;
/** Two kilobytes for each user: together more than the process may use. */
const users = 50_000;
const attributes = { padding: Array(8).fill('x'.repeat(250)) };

/** A file of a realm with these users, of whom the last one is wrong: nothing is stored. */
function* file(): Generator<Buffer> {
  yield Buffer.from('{"realm":"large","users":[');
  for (let n = 0; n < users; n++) yield Buffer.from(`${JSON.stringify({ username: `user-${n}`, attributes })},`);
  yield Buffer.from('{"username":"last","groups":["/nowhere"]}]}');
}

it('an import takes no more memory for a larger file', { timeout: 240_000 }, async () => {
  const run = start({
    DATABASE_URL: await freshDatabaseUrl(),
    ADMIN_PASSWORD: 'secret-1',
    NODE_OPTIONS: `--max-old-space-size=${heap}`,
  });
  const url = await ready(run);
  const login = await fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'secret-1',
    }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  // fetch would read on while nobody takes what it has
  const sending = request(`${url}/auth/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const answered = once(sending, 'response');
  await Promise.all([answered, pipeline(Readable.from(file()), sending)]);
  const [response] = (await answered) as [IncomingMessage];
  expect([response.statusCode, await json(response)]).toEqual([400, { errorMessage: 'Group "/nowhere" not found' }]);
});
