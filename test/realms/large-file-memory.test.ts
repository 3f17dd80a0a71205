import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const megabyte = 1024 * 1024;
/** Two kilobytes. */
const attributes = { padding: Array(8).fill('x'.repeat(250)) };

/** A file of a realm with so many users, of whom the last one is wrong: nothing is stored. */
function* fileOf(realm: string, users: number): Generator<Buffer> {
  yield Buffer.from(`{"realm":"${realm}","users":[`);
  for (let n = 0; n < users; n++) yield Buffer.from(`${JSON.stringify({ username: `user-${n}`, attributes })},`);
  yield Buffer.from('{"username":"last","groups":["/nowhere"]}]}');
}

it('an import takes no more memory for a larger file', { timeout: 120_000 }, async () => {
  const server = await startServer();
  const { token } = await administrator(server);

  /** The most memory that is in use meanwhile, in bytes; this process has the caller as well. */
  const peakOf = async (realm: string, users: number): Promise<number> => {
    let most = 0;
    const look = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      most = Math.max(most, heapUsed + external);
    };
    look();
    const timer = setInterval(look, 250);
    // fetch would read on while nobody takes what it has
    const sending = request(`${server.url}/auth/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    const answered = once(sending, 'response');
    await pipeline(Readable.from(fileOf(realm, users)), sending);
    const [response] = (await answered) as [IncomingMessage];
    look();
    clearInterval(timer);
    expect([response.statusCode, await json(response)]).toEqual([
      400,
      { errorMessage: 'There is no group "/nowhere"' },
    ]);
    return most;
  };

  const small = await peakOf('small', 3000);
  const large = await peakOf('large', 20_000);
  expect((large - small) / megabyte).toBeLessThan(25);
});
