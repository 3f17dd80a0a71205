import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEndOfFile } from '../support/database.js';

const programs = ['/usr/sbin/samba', '/usr/bin/samba-tool'];

/** Whether Samba's Active Directory is installed here (Debian: samba-ad-dc, samba-ad-provision) and may use its port. */
export const hasSamba = process.getuid?.() === 0 && programs.every((path) => existsSync(path));

export interface Samba {
  url: string;
  bindDn: string;
  bindPassword: string;
  /** DN of the entry below which users and groups are */
  users: string;
}

const bindPassword = 'Passw0rd.1';
const base = 'DC=example,DC=test';

/** An address of this machine that nobody else uses: the port of a domain controller is fixed. */
const freeAddress = (): string =>
  `127.77.${1 + Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`;

const listens = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(389, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts a domain controller with its LDAP server alone, which ends with the test file. It takes half a minute. */
export async function startSamba(): Promise<Samba> {
  const folder = mkdtempSync(join(tmpdir(), 'samba-'));
  const host = freeAddress();
  const names = ['--realm=EXAMPLE.TEST', '--domain=EXAMPLE', '--host-name=dc1', `--host-ip=${host}`];
  const options = [
    `posix:eadb=${folder}/eadb.tdb`,
    'server services=ldap',
    'dcerpc endpoint servers=',
    `interfaces=${host}/8`,
    'bind interfaces only=yes',
    'ldap server require strong auth=no',
    `log file=${folder}/log`,
    `pid directory=${folder}`,
    `ncalrpc dir=${folder}/ncalrpc`,
  ].map((option) => `--option=${option}`);
  const place = ['--dns-backend=NONE', '--server-role=dc', `--adminpass=${bindPassword}`, `--targetdir=${folder}`];
  await promisify(execFile)('samba-tool', ['domain', 'provision', ...names, ...place, ...options]);
  const child = spawn('samba', ['-i', '-M', 'single', `--configfile=${folder}/etc/smb.conf`, ...options], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  atEndOfFile(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await listens(host))) {
    if (child.exitCode !== null) throw new Error('samba does not start');
    await new Promise((resume) => setTimeout(resume, 200));
  }
  const users = `CN=Users,${base}`;
  return { url: `ldap://${host}`, bindDn: `CN=Administrator,${users}`, bindPassword, users };
}
