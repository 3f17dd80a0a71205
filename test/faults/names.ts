import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/database.js';

/** The host names that a process can resolve. */
export interface Names {
  /** the command in which these names count */
  within: readonly string[];
  /** Has these names lead to this machine, and no others. */
  resolve(...names: string[]): void;
}

const mounted = 'mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';

/**
 * Names of a process of its own, whose name server never answers. Undefined where this process may not give it any: that takes
 * root on Linux.
 */
export function ownNames(): Names | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = temporaryFolder();
  const [hosts, servers] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  // the same file throughout: it stays mounted
  const resolve = (...names: string[]) => writeFileSync(hosts, `127.0.0.1 ${['localhost', ...names].join(' ')}\n`);
  resolve();
  writeFileSync(servers, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const within = ['unshare', '--mount', 'sh', '-c', mounted, hosts, servers];
  try {
    execFileSync('unshare', [...within.slice(1), 'true'], { stdio: 'ignore' });
  } catch {
    return undefined; // a container without the right to
  }
  return { within, resolve };
}
