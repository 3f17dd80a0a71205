// Measures what the check of a bearer token costs: of one that is known already, as for every request after the first of a
// caller, and of one that is seen for the first time.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../build/config/config.js';
import { startServer } from '../build/http/server.js';
import { publishedKeys } from '../build/services/tokens/client-keys.js';
import { createBearerVerifier } from '../build/services/tokens/verify.js';
import { table } from './client.mjs';
import { startDatabase } from './service.mjs';

const { values: args } = parseArgs({
  options: {
    checks: { type: 'string', default: '200000' },
    tokens: { type: 'string', default: '300' },
    part: { type: 'string' },
  },
});

/** Microseconds of CPU that each of so many calls takes. */
async function costOf(times, call) {
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) await call(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function tokenOf(url) {
  const answer = await fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' }),
  });
  return answer.json();
}

async function measure(dialect) {
  const database = await startDatabase(dialect);
  const config = readConfig({
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PASSWORD: 'admin',
    LOG_LEVEL: 'fatal',
  });
  const server = await startServer(config);
  const { services } = server;
  const verifier = createBearerVerifier({
    ...services,
    touches: services.sessions,
    publish: services.feed.publish,
    publishedKeys: publishedKeys(fetch),
  });
  const first = await tokenOf(server.url);
  const refreshed = async () => {
    const answer = await fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'admin-cli',
        refresh_token: first.refresh_token,
      }),
    });
    return (await answer.json()).access_token;
  };
  const fresh = [];
  for (let n = 0; n < Number(args.tokens); n++) fresh.push(await refreshed());
  const unseen = await costOf(fresh.length, (n) => verifier.verifyBearer(fresh[n]));
  await costOf(20_000, () => verifier.verifyBearer(first.access_token));
  const warm = await costOf(Number(args.checks), () => verifier.verifyBearer(first.access_token));
  await server.close();
  await database.stop();
  return { warm, unseen };
}

const rows = [];
for (const dialect of ['sqlite', 'postgresql']) {
  const { warm, unseen } = await measure(dialect);
  rows.push([dialect, warm.toFixed(1), '50', unseen.toFixed(0)]);
}
const text = table(['database', 'known token, µs of CPU', 'target', 'token seen for the first time, µs'], rows);
console.log(text);
if (args.part) {
  writeFileSync(
    new URL(`parts/${args.part}.md`, import.meta.url),
    `## Checking a bearer token\n\nIn the process of the service, ${args.checks} checks one after the other; the look every second whether the caller may still be there is part of it.\n\n${text}\n`,
  );
}
process.exit(0);
