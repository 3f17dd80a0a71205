// Throw-away PostgreSQL servers, for the tests and for the replay of the contract. Nothing but Node built-ins.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../tools/free-port.mjs';

/** Where Debian puts the programs of each version, which are not on the PATH. */
const versionedFolder = '/usr/lib/postgresql';
const secondsToStart = 60;

/**
 * The folder with the programs of the newest PostgreSQL server on this machine; undefined where there is none.
 * @returns {string | undefined}
 */
export function postgresqlBinaries() {
  const versions = existsSync(versionedFolder) ? readdirSync(versionedFolder) : [];
  const candidates = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(versionedFolder, version, 'bin')),
    ...(output('pg_config', ['--bindir']) ?? []),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return candidates.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/**
 * Starts an empty server on a free port. Unless it has to be `durable`, what is written to it does not survive a crash
 * of the machine, which makes it fast. It can be halted, which ends all connections, and go on with the same data.
 * @param {{ durable?: boolean, preload?: string }} [options] preload: the library that all its processes load
 * @returns {Promise<import('./postgresql.d.mts').Cluster>}
 */
export async function startPostgresql({ durable = false, preload = '' } = {}) {
  const binaries = postgresqlBinaries();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed.');
  const owner = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-postgresql-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const data = join(folder, 'data');
  const port = await freePort();
  let server;

  const stopAtExit = () => server.kill('SIGQUIT');
  const resume = async () => {
    server = spawn(join(binaries, 'postgres'), ['-D', data, ...settings(folder, port, durable, preload)], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    process.once('exit', stopAtExit);
    await untilReady(server);
  };
  const halt = async () => {
    process.off('exit', stopAtExit);
    server.kill('SIGINT'); // ends the connections that are left
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };

  try {
    const init = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(binaries, 'initdb'), init, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await resume();
    return {
      url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
      pid: () => server.pid,
      halt,
      resume,
      async stop() {
        await halt();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function settings(folder, port, durable, preload) {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 300,
    shared_preload_libraries: preload,
    ...(!durable && {
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      // no replica is fed, and databases are gone before they need a vacuum
      wal_level: 'minimal',
      max_wal_senders: 0,
      autovacuum: 'off',
    }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Whom the server runs as: it refuses to run as root. */
function serverUser() {
  if (process.getuid?.() !== 0) return {};
  const name = output('id', ['-u', 'postgres']) ? 'postgres' : 'nobody';
  const [uid] = output('id', ['-u', name]) ?? [];
  const [gid] = output('id', ['-g', name]) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** The lines that a program prints; undefined when it fails or is not there. */
function output(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split('\n');
  } catch {
    return undefined;
  }
}

function untilReady(server) {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (reason) => reject(new Error(`PostgreSQL ${reason}:\n${log}`));
    const timer = setTimeout(() => fail(`did not start in ${secondsToStart} seconds`), secondsToStart * 1000);
    server.once('exit', () => fail('ended'));
    server.once('error', (error) => fail(`cannot be started, ${error.message}`));
    server.stderr.setEncoding('utf8').on('data', (text) => {
      log = (log + text).slice(-4000); // read to the end, so that the server never waits for a full pipe
      if (!log.includes('ready to accept connections')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
