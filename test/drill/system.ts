import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'vitest';
import { freePort } from '../../tools/free-port.mjs';
import { createUsers, repeat, type Stream } from '../faults/stream.js';
import { type Caller, callerWith, login } from '../support/fixture.js';
import { type Run, ready, start } from '../support/process.js';
import { installedProxies, startProxy } from '../support/proxies.js';
import { admin } from '../support/server.js';

/** Milliseconds within which all has to be answered, and to work again. */
const patience = 45_000;
const password = 'Correct-horse-9';

/** An instance of the service at a port of its own. */
interface Instance {
  readonly url: string;
  run: Run;
}

/** Instances of the service behind proxies, to which users are added and at which users log in without a pause. */
export interface System {
  readonly realm: string;
  readonly instances: readonly Instance[];
  readonly writes: readonly Stream<{ username: string; status: number; retryAfter: string | null }>[];
  readonly logins: readonly Stream[];
  /** Starts an instance again that has ended, and waits until both proxies use it. */
  startAgain(instance: Instance): Promise<void>;
  /** Waits until each stream was answered with success from now on, and each instance has logged the end of what failed. */
  works(): Promise<void>;
  /** Waits until so many writes were refused from now on. */
  refuses(count: number): Promise<void>;
  stop(): Promise<void>;
}

const clock = new URL('movable-clock.mjs', import.meta.url).href;

/** Starts two instances behind each proxy. `note` is a text for each new user. */
export async function startSystem(databaseUrl: string, note: () => string): Promise<System> {
  const realm = 'drill';
  const ports = [await freePort(), await freePort()];
  const settings = {
    DATABASE_URL: databaseUrl,
    DATABASE_STATEMENT_TIMEOUT: '5',
    ADMIN_PASSWORD: admin.password,
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    SHUTDOWN_DELAY: '1',
    ACCESS_LOG: 'true',
    NODE_OPTIONS: `--import ${clock}`,
  };
  const startAt = (port: number): Run => start({ ...settings, PORT: String(port) });
  const instances: Instance[] = [];
  for (const port of ports) {
    const run = startAt(port);
    await ready(run); // one after the other: the first makes the tables
    instances.push({ url: `http://127.0.0.1:${port}`, run });
  }
  const proxies = await Promise.all(installedProxies.map((name) => startProxy(name, ports)));
  const token = await prepared(instances[0] as Instance, realm);
  const writes = proxies.flatMap((url, at) =>
    [0, 1].map((turn) => createUsers({ realm, name: `by-${at}-${turn}`, patience, note }, { url }, { token })),
  );
  const logins = proxies.map((url) => repeat(() => [{}, loggedIn(url, realm)]));
  const inUse = async ({ output }: Run) => {
    for (const name of installedProxies)
      await expect.poll(output, { timeout: patience }).toContain(`"requestId":"${name}"`);
  };
  await Promise.all(instances.map(({ run }) => inUse(run)));
  return {
    realm,
    instances,
    writes,
    logins,
    async startAgain(instance) {
      instance.run = startAt(Number(new URL(instance.url).port));
      await ready(instance.run);
      await inUse(instance.run);
    },
    async works() {
      const next = [...writes, ...logins].map(async (stream) => {
        // the answer to come can be that of a request from before
        const before = stream.answers.length + 1;
        const isServed = () => stream.answers.slice(before).some(({ status }) => status < 300);
        await expect.poll(isServed, { timeout: patience }).toBe(true);
      });
      await Promise.all(next);
      for (const { run } of instances) await expect.poll(() => lasting(run.output()), { timeout: patience }).toBe(0);
    },
    async refuses(count) {
      const refused = () => writes.flatMap(({ answers }) => answers).filter(({ status }) => status === 503).length;
      const before = refused();
      await expect.poll(refused, { timeout: patience }).toBeGreaterThanOrEqual(before + count);
    },
    async stop() {
      await Promise.all([...writes, ...logins].map((stream) => stream.stop()));
    },
  };
}

/** A realm with a user who logs in, and a token of the administrator that lasts longer than all of this takes, whatever the clock says. */
async function prepared(server: { url: string }, realm: string): Promise<string> {
  const administrator = async (): Promise<Caller> =>
    callerWith(server, await login(server, 'master', admin.username, admin.password));
  await (await administrator()).send('PUT', '/master', { accessTokenLifespan: 36_000, ssoSessionIdleTimeout: 36_000 });
  const first = await administrator();
  const made = await first.send('POST', '/', { realm, enabled: true, adminEventsEnabled: true });
  expect(made.status).toBe(201);
  const caller = await administrator();
  const credentials = [{ type: 'password', value: password }];
  await caller.send('POST', `/${realm}/users`, { username: 'steady', enabled: true, credentials });
  return caller.token ?? '';
}

const loggedIn = (url: string, realm: string): Promise<Response> =>
  fetch(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'steady', password }),
    signal: AbortSignal.timeout(patience),
  });

/** How many outages a log states the begin of and not yet the end. */
function lasting(log: string): number {
  const times = (text: RegExp) => log.match(text)?.length ?? 0;
  return times(/: (requests|writes) are answered with 503"/g) - times(/"the (database|disk) [^"]* again"/g);
}

/** Waits until an instance has ended. */
export async function untilEnded({ run: { process: child } }: Instance): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
