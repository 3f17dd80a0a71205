// Writes the test data in test/realms/exports: fetches two distributions of Keycloak, creates the same realm in each by its
// REST API, and lets its own command export the realm. Beside each file is an access token that the server had signed.
// Requires Java 17 and Maven.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { distribution as oldDistribution, unpacked } from '../bench/peer.mjs';
import { freePort } from './free-port.mjs';

const newest = '26.0.8';
const newDistribution = {
  folder: `keycloak-${newest}`,
  artifact: `org.keycloak:keycloak-quarkus-dist:${newest}:tar.gz`,
  sha256: '8cf143b894afcf7d3be4549dc5af4790bda63bd471a5ac8e384094fb729e4b15',
};
const results = join(import.meta.dirname, '../test/realms/exports');
const secondsToWait = 240;
const run = promisify(execFile);

const name = 'moved';
const realm = {
  realm: name,
  enabled: true,
  accessTokenLifespan: 1800,
  roles: {
    realm: [
      { name: 'clerk', attributes: { desk: ['7'] } },
      { name: 'chief', composite: true, composites: { realm: ['clerk'], client: { shop: ['seller'] } } },
    ],
    client: { shop: [{ name: 'seller' }] },
  },
  groups: [
    {
      name: 'staff',
      attributes: { floor: ['2'] },
      realmRoles: ['clerk'],
      subGroups: [{ name: 'night', clientRoles: { shop: ['seller'] } }],
    },
  ],
  clients: [
    {
      clientId: 'shop',
      secret: 'secret-of-shop',
      serviceAccountsEnabled: true,
      redirectUris: ['https://shop.example/*'],
    },
    { clientId: 'web', publicClient: true, directAccessGrantsEnabled: true, redirectUris: ['https://web.example/*'] },
  ],
  identityProviders: [
    {
      alias: 'partner',
      providerId: 'oidc',
      config: {
        clientId: 'us',
        clientSecret: 'secret-of-partner',
        authorizationUrl: 'https://partner.example/auth',
        tokenUrl: 'https://partner.example/token',
      },
    },
  ],
};
const users = [
  {
    username: 'ann',
    enabled: true,
    email: 'ann@mail.example',
    emailVerified: true,
    firstName: 'Ann',
    lastName: 'Archer',
    groups: ['/staff/night'],
    credentials: [{ type: 'password', value: 'password-of-ann' }],
  },
  {
    username: 'ben',
    enabled: true,
    email: 'ben@mail.example',
    firstName: 'Ben',
    lastName: 'Baker',
    requiredActions: ['UPDATE_PASSWORD'],
    credentials: [{ type: 'password', value: 'password-of-ben' }],
  },
];
const scope = {
  name: 'orders',
  protocol: 'openid-connect',
  protocolMappers: [
    {
      name: 'desk',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-hardcoded-claim-mapper',
      config: { 'claim.name': 'desk', 'claim.value': '7', 'access.token.claim': 'true' },
    },
  ],
};

/** How each server is started and how it exports, with its data in `folder`. */
const servers = [
  {
    distribution: oldDistribution,
    base: '/auth',
    async prepare(home, folder) {
      cpSync(join(home, 'standalone'), folder, { recursive: true });
      const argv = ['--sc', join(folder, 'configuration'), '-r', 'master', '-u', 'admin', '-p', 'admin'];
      await run(join(home, 'bin/add-user-keycloak.sh'), argv, { env: { ...process.env, JBOSS_HOME: home } });
    },
    serve: (home, folder, port) => standalone(home, folder, port, []),
    async export(home, folder, file) {
      const action = { action: 'export', provider: 'singleFile', realmName: name, file };
      const argv = Object.entries(action).map(([key, value]) => `-Dkeycloak.migration.${key}=${value}`);
      // it serves when it has exported
      const server = standalone(home, folder, await freePort(), argv);
      const log = join(folder, 'log/server.log');
      const finished = () => readFileSync(log, 'utf8').includes('Export finished successfully');
      await until(finished, server).finally(() => stop(server));
    },
  },
  {
    distribution: newDistribution,
    base: '',
    prepare: async (home, folder) => cpSync(home, folder, { recursive: true }),
    serve: (_home, folder, port) =>
      spawn(join(folder, 'bin/kc.sh'), ['start-dev', `--http-port=${port}`], {
        env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' },
        stdio: 'ignore',
      }),
    export: (_home, folder, file) => run(join(folder, 'bin/kc.sh'), ['export', '--realm', name, '--file', file]),
  },
];

const standalone = (home, folder, port, argv) =>
  spawn(
    join(home, 'bin/standalone.sh'),
    [`-Djboss.server.base.dir=${folder}`, `-Djboss.socket.binding.port-offset=${port - 8080}`, ...argv],
    { env: { ...process.env, JBOSS_HOME: home, LAUNCH_JBOSS_IN_BACKGROUND: 'true' }, stdio: 'ignore' },
  );

const isRunning = (server) => server.exitCode === null && server.signalCode === null;

async function stop(server) {
  server.kill('SIGTERM');
  if (isRunning(server)) await once(server, 'exit');
}

/** Waits until the condition holds. Throws if the server has ended before. */
async function until(condition, server) {
  for (let tries = 0; tries < secondsToWait * 2; tries += 1) {
    if (await condition()) return;
    if (!isRunning(server)) throw new Error('The server has ended.');
    await sleep(500);
  }
  throw new Error(`The server is not ready after ${secondsToWait} seconds.`);
}

/** The access token that a user gets, undefined if there is none. */
async function login(url, from, form) {
  const body = new URLSearchParams({ grant_type: 'password', ...form });
  const asked = { method: 'POST', body };
  const answer = await fetch(`${url}/realms/${from}/protocol/openid-connect/token`, asked).catch(() => undefined);
  return answer?.ok ? (await answer.json()).access_token : undefined;
}

/** Creates the realm. */
async function fill(url, token) {
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/admin/realms${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { at: answer.headers.get('location')?.split('/').at(-1), body: text && JSON.parse(text) };
  };
  await send('POST', '', realm);
  const { at: added } = await send('POST', `/${name}/client-scopes`, scope);
  const [shop] = (await send('GET', `/${name}/clients?clientId=shop`)).body;
  await send('PUT', `/${name}/clients/${shop.id}/optional-client-scopes/${added}`);
  const chief = (await send('GET', `/${name}/roles/chief`)).body;
  for (const user of users) {
    const { at: id } = await send('POST', `/${name}/users`, user);
    if (user.username === 'ann') await send('POST', `/${name}/users/${id}/role-mappings/realm`, [chief]);
  }
  const action = (await send('GET', `/${name}/authentication/required-actions/VERIFY_EMAIL`)).body;
  await send('PUT', `/${name}/authentication/required-actions/VERIFY_EMAIL`, { ...action, defaultAction: true });
}

/** Writes the export of a server, and a token that it signed. */
async function exportFrom(kind) {
  const home = await unpacked(kind.distribution);
  const scratch = mkdtempSync(join(tmpdir(), 'realmgate-export-'));
  const folder = join(scratch, 'server');
  const file = join(scratch, 'realm.json');
  try {
    await kind.prepare(home, folder);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${kind.base}`;
    const server = kind.serve(home, folder, port);
    let token;
    try {
      const admin = { client_id: 'admin-cli', username: 'admin', password: 'admin' };
      await until(async () => (token = await login(url, 'master', admin)), server);
      await fill(url, token);
      token = await login(url, name, { client_id: 'web', username: 'ann', password: 'password-of-ann' });
      if (!token) throw new Error('The user cannot log in.');
    } finally {
      await stop(server);
    }
    await kind.export(home, folder, file);
    if (!existsSync(file)) throw new Error('The server has exported nothing.');
    const result = join(results, kind.distribution.folder);
    writeFileSync(`${result}.json`, `${JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, 2)}\n`);
    writeFileSync(`${result}.token`, `${token}\n`);
    console.log(`Exported from ${kind.distribution.folder}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

for (const kind of servers) await exportFrom(kind);
