// Throw-away PostgreSQL servers, for the tests and for the replay of the contract. Nothing but Node built-ins.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../tools/free-port.mjs';

/** What is found out by other programs, once: a process as large as a worker takes milliseconds to start one. */
let knownBinaries;
let knownUser;

/** Where Debian puts the programs of each version, which are not on the PATH. */
const versionedFolder = '/usr/lib/postgresql';
const secondsToStart = 60;

/**
 * The folder with the programs of the newest PostgreSQL server on this machine; undefined where there is none.
 * @returns {string | undefined}
 */
export const postgresqlBinaries = () => (knownBinaries ??= foundBinaries());

function foundBinaries() {
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
 * of the machine, which makes it fast. It can be halted, which ends all connections, and go on with the same data. One that is
 * `replicated` can have standbys.
 * @param {{ durable?: boolean, preload?: string, replicated?: boolean, further?: Record<string, string> }} [options] preload: the
 *   library that all its processes load; further: settings of its configuration
 * @returns {Promise<import('./postgresql.d.mts').Cluster>}
 */
export const startPostgresql = (options = {}) => startCluster(options, initialized);

const initialized = (run, data) =>
  run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']);

/**
 * Starts a standby of a replicated server.
 * @param {import('./postgresql.d.mts').Cluster} primary
 * @returns {Promise<import('./postgresql.d.mts').Cluster & { promote: () => Promise<void> }>}
 */
export async function startStandby(primary) {
  let promote;
  const cluster = await startCluster({ replicated: true }, (run, data) => {
    promote = () => run('pg_ctl', ['promote', '--wait', '-D', data]);
    run('pg_basebackup', ['-D', data, '-d', primary.url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']);
  });
  return { ...cluster, promote: async () => promote() };
}

/**
 * Starts a server that archives its log of writes. `backUp` copies its files, and `restore` starts another server with this copy
 * and with what was archived up to a moment.
 * @returns {Promise<import('./postgresql.d.mts').ArchivedCluster>}
 */
export async function startArchived() {
  const folder = ownedFolder();
  const [archive, base] = [join(folder, 'archive'), join(folder, 'base')];
  let programs;
  const archiving = { archive_mode: 'on', archive_command: `mkdir -p ${archive} && cp %p ${archive}/%f` };
  const cluster = await startCluster({ replicated: true, further: archiving }, (run, data) => {
    programs = run;
    initialized(run, data);
  });
  return {
    ...cluster,
    backUp: () => void programs('pg_basebackup', ['-D', base, '-d', cluster.url, '--checkpoint=fast', '--no-sync']),
    restore(until) {
      const further = {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: until,
        recovery_target_action: 'promote',
      };
      return startCluster({ replicated: true, further }, (_run, data) => {
        const copy = 'cp -a "$0" "$1" && touch "$1/recovery.signal"';
        execFileSync('sh', ['-c', copy, base, data], { ...serverUser(), stdio: ['ignore', 'ignore', 'pipe'] });
      });
    },
    async stop() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A new folder for the user that servers run as. */
function ownedFolder() {
  const owner = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-postgresql-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** Starts a server with the data that `fill` makes with its programs, and with `further` settings. */
async function startCluster({ durable = false, preload = '', replicated = false, further = {} }, fill) {
  const binaries = postgresqlBinaries();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed.');
  const owner = serverUser();
  const folder = ownedFolder();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const data = join(folder, 'data');
  const port = await freePort();
  let server;

  const run = (program, argv) =>
    execFileSync(join(binaries, program), argv, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const stopAtExit = () => server.kill('SIGQUIT');
  const resume = async () => {
    const argv = ['-D', data, ...settings(folder, port, { durable, preload, replicated, further })];
    server = spawn(join(binaries, 'postgres'), argv, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    process.once('exit', stopAtExit);
    await untilReady(server);
  };
  const end = async (signal) => {
    process.off('exit', stopAtExit);
    server.kill(signal);
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  const halt = () => end('SIGINT'); // ends the connections that are left

  try {
    fill(run, data);
    await resume();
    return {
      url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
      pid: () => server.pid,
      halt,
      crash: () => end('SIGQUIT'),
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

function settings(folder, port, { durable, preload, replicated, further }) {
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
      // databases are gone before they need a vacuum
      autovacuum: 'off',
      ...(!replicated && { wal_level: 'minimal', max_wal_senders: 0 }),
    }),
    // what is acknowledged is to be at a standby where one has to be waited for
    ...(replicated && { synchronous_commit: 'on' }),
    ...further,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Whom the server runs as: it refuses to run as root.
 * @returns {{ uid?: number, gid?: number }}
 */
export const serverUser = () => (knownUser ??= foundUser());

function foundUser() {
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
      if (!/ready to accept (read-only )?connections/.test(log)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
