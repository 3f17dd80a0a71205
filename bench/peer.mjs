// The peer of the measurements, Keycloak 15.0.2, on its own H2 database or on a PostgreSQL of its own: fetched once by Maven, and
// started with the configuration of its distribution and a larger heap. `npm run bench -- peer --database postgresql` keeps it running.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startPostgresql } from '../test/support/postgresql.mjs';
import { freePort } from '../tools/free-port.mjs';
import { project } from './service.mjs';

const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
const cache = join(project, 'node_modules/.cache/realmgate/peer');
const version = '15.0.2';
/** The distribution of the peer. */
export const distribution = {
  folder: `keycloak-${version}`,
  artifact: `org.keycloak:keycloak-server-dist:${version}:tar.gz`,
  sha256: '1915e33b3789eb426fda06676e39b9ddf3a7b563e1e2381a92a02da814dad047',
};
const driver = {
  artifact: 'org.postgresql:postgresql:42.2.24:jar',
  sha256: '83ff945bb4f5dac8ea31b7bd5324433f5593dbbcb58b63763232bbef186d4772',
};

/** The database of the peer beside each of ours. */
export const peerDatabases = { sqlite: 'h2', postgresql: 'postgresql' };

/** As the baselines of the peers were measured. */
const javaOptions =
  '-Xms512m -Xmx2g -XX:MetaspaceSize=96M -XX:MaxMetaspaceSize=384m -Djava.net.preferIPv4Stack=true -Djava.awt.headless=true';
const secondsToStart = 240;
const run = promisify(execFile);

/**
 * Returns the file of an artifact, which Maven fetches if it is not in the cache. Throws if it has another hash.
 * @param {{ artifact: string, sha256: string }} wanted artifact: `group:name:version:type`
 */
async function fetched({ artifact, sha256 }) {
  const [, name, number, type] = artifact.split(':');
  const file = join(cache, `${name}-${number}.${type}`);
  if (existsSync(file)) return file;
  console.log(`Fetching ${artifact}`);
  const scratch = mkdtempSync(join(tmpdir(), 'realmgate-fetch-'));
  try {
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${scratch}`];
    await run('mvn', ['--batch-mode', '--quiet', copy, ...options], { cwd: scratch }).catch((error) => {
      throw error.code === 'ENOENT' ? new Error('Maven fetches the peer, and is not installed.') : error;
    });
    const copied = join(scratch, `${name}-${number}.${type}`);
    const hash = createHash('sha256').update(readFileSync(copied)).digest('hex');
    if (hash !== sha256) throw new Error(`${artifact} has the hash ${hash}, expected was ${sha256}.`);
    mkdirSync(cache, { recursive: true });
    cpSync(copied, `${file}.part`);
    renameSync(`${file}.part`, file);
    return file;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * The folder of an unpacked distribution.
 * @param {{ folder: string, artifact: string, sha256: string }} wanted folder: the name of the folder in the archive
 */
export async function unpacked(wanted) {
  const folder = join(cache, wanted.folder);
  if (existsSync(folder)) return folder;
  const archive = await fetched(wanted);
  const scratch = mkdtempSync(join(cache, 'unpack-'));
  await run('tar', ['xzf', archive, '-C', scratch]);
  renameSync(join(scratch, wanted.folder), folder);
  rmSync(scratch, { recursive: true });
  return folder;
}

/** Replaces text that has to be there once. */
function replaced(text, part, by) {
  const pieces = text.split(part);
  if (pieces.length !== 2) throw new Error(`The configuration of the peer has ${pieces.length - 1} times: ${part}`);
  return pieces.join(by);
}

const moduleFile = (jar) => `<module xmlns="urn:jboss:module:1.9" name="org.postgresql">
  <resources><resource-root path="${jar}"/></resources>
  <dependencies><module name="javax.api"/><module name="javax.transaction.api"/></dependencies>
</module>`;

/** Has the server in `folder` keep its data in the PostgreSQL at `url`. */
async function usePostgresql(folder, url) {
  const jar = await fetched(driver);
  const module = join(folder, 'modules/org/postgresql/main');
  mkdirSync(module, { recursive: true });
  const name = jar.slice(jar.lastIndexOf('/') + 1);
  cpSync(jar, join(module, name));
  writeFileSync(join(module, 'module.xml'), moduleFile(name));
  const file = join(folder, 'configuration/standalone.xml');
  const { host, pathname, username } = new URL(url);
  let text = readFileSync(file, 'utf8');
  text = replaced(
    text,
    `jdbc:h2:\${jboss.server.data.dir}/keycloak;AUTO_SERVER=TRUE</connection-url>
                    <driver>h2</driver>`,
    `jdbc:postgresql://${host}${pathname}</connection-url>
                    <driver>postgresql</driver>
                    <pool><min-pool-size>10</min-pool-size><max-pool-size>50</max-pool-size></pool>`,
  );
  const signIn = (user, password) => `<user-name>${user}</user-name>
                        <password>${password}</password>
                    </security>
                </datasource>
                <drivers>`;
  text = replaced(
    text,
    signIn('sa', 'sa'),
    `${signIn(username, 'postgres')}
                    <driver name="postgresql" module="org.postgresql"><driver-class>org.postgresql.Driver</driver-class></driver>`,
  );
  writeFileSync(file, text);
}

/**
 * Starts the peer with an empty database and waits until its administrator (`admin`, `admin`) can log in.
 * @param {'h2' | 'postgresql'} kind
 * @returns {Promise<{ url: string, pids: number[], stop: () => Promise<void> }>}
 */
export async function startPeer(kind) {
  const installed = await unpacked(distribution);
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-peer-'));
  const database = kind === 'postgresql' ? await startPostgresql({ durable: true }) : undefined;
  const remove = async () => {
    await database?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    cpSync(join(installed, 'standalone'), folder, { recursive: true });
    if (database) await usePostgresql(folder, database.url);
    const port = await freePort();
    const env = {
      ...process.env,
      JAVA_OPTS: javaOptions,
      JBOSS_HOME: installed,
      JBOSS_MODULEPATH: `${join(installed, 'modules')}:${join(folder, 'modules')}`,
      LAUNCH_JBOSS_IN_BACKGROUND: 'true',
    };
    const account = ['--sc', join(folder, 'configuration'), '-r', 'master', '-u', 'admin', '-p', 'admin'];
    await run(join(installed, 'bin/add-user-keycloak.sh'), account, { env });
    const argv = [`-Djboss.server.base.dir=${folder}`, `-Djboss.socket.binding.port-offset=${port - 8080}`];
    const server = spawn(join(installed, 'bin/standalone.sh'), argv, { env, stdio: 'ignore' });
    const killAtExit = () => server.kill('SIGTERM');
    process.once('exit', killAtExit);
    const ended = () => server.exitCode !== null || server.signalCode !== null;
    const stop = async () => {
      process.off('exit', killAtExit);
      server.kill('SIGTERM');
      if (!ended()) await once(server, 'exit');
      await remove();
    };
    const url = `http://127.0.0.1:${port}/auth`;
    await untilReady(url, ended, join(folder, 'log/server.log')).catch(async (error) => {
      await stop();
      throw error;
    });
    return { url, pids: [server.pid, ...(database ? [database.pid()] : [])], stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function untilReady(url, ended, log) {
  const form = new URLSearchParams({
    grant_type: 'password',
    client_id: 'admin-cli',
    username: 'admin',
    password: 'admin',
  });
  for (let tries = 0; tries < secondsToStart * 2; tries += 1) {
    const asked = { method: 'POST', body: form };
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, asked).catch(() => undefined);
    if (answer?.ok) return;
    if (ended()) break;
    await sleep(500);
  }
  const told = existsSync(log) ? readFileSync(log, 'utf8').slice(-3000) : '';
  throw new Error(`The peer cannot be logged in to.\n${told}`);
}

async function main() {
  const { values } = parseArgs({ options: { database: { type: 'string', default: 'h2' } } });
  const peer = await startPeer(values.database);
  console.log(`${peer.url},pid=${peer.pids.join('+')}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void peer.stop().then(() => process.exit()));
  setInterval(() => undefined, 2 ** 30);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
