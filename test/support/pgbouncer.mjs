// A throw-away PgBouncer in transaction mode, for the tests and for the replay of the contract. Nothing but Node built-ins.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/free-port.mjs';
import { serverUser } from './postgresql.mjs';

const secondsToStart = 20;

/** Debian puts the program where the PATH of others than root does not lead. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

export const hasPgbouncer = program !== undefined;

/**
 * Starts a pooler in front of a server of `startPostgresql`, with few sessions for many connections.
 * @param {string} databaseUrl
 * @returns {Promise<{ url: string, lead: (databaseUrl: string) => void, stop: () => Promise<void> }>} url: the address of the same
 *   database through the pooler; lead: has it use another server, while clients stay connected
 */
export async function startPgbouncer(databaseUrl) {
  const { username, pathname } = new URL(databaseUrl);
  const owner = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-pgbouncer-'));
  const ownPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settingsFor = ({ hostname, port }) => [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 6',
    'max_client_conn = 500',
    // seconds until a server that refused a connection is tried again
    'server_login_retry = 1',
  ];
  const write = (url) => writeFileSync(file, `${settingsFor(new URL(url)).join('\n')}\n`);
  write(databaseUrl);
  if (owner.uid !== undefined) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
  const pooler = spawn(program, [file], { ...owner, cwd: folder, stdio: 'ignore' });
  const killAtExit = () => pooler.kill('SIGKILL');
  process.once('exit', killAtExit);
  const stop = async () => {
    process.off('exit', killAtExit);
    pooler.kill('SIGKILL');
    if (pooler.exitCode === null && pooler.signalCode === null) await once(pooler, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(ownPort)); tries += 1) {
    if (pooler.exitCode !== null || tries > secondsToStart * 20) {
      await stop();
      throw new Error('PgBouncer did not start.');
    }
    await sleep(50);
  }
  const lead = (url) => {
    write(url);
    pooler.kill('SIGHUP');
  };
  return { lead, url: `postgresql://${username}@127.0.0.1:${ownPort}${pathname}`, stop };
}

/** Whether somebody listens on a port of this machine. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
