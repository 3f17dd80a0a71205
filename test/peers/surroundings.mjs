import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { group, hasSlapd, person, personDn, startSlapd, top } from '../../tools/slapd.mjs';
import { startedUrl } from '../support/started.mjs';

const password = 'peer-admin';
const secondsToStart = 60;

/**
 * Starts what the peers talk with: the built server on an empty SQLite file, a mail server that takes every message, and a
 * small directory where slapd is installed. `env` tells the peers where they are.
 */
export async function startSurroundings(main) {
  if (!existsSync(main)) throw new Error('The server is not built: run `npm run peers`.');
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-peers-'));
  const mail = await startMailServer();
  const directory = hasSlapd
    ? await startSlapd([top, person('paula'), group('choir', [personDn('paula')])].join('\n'))
    : undefined;
  const server = startServer(main, folder);
  const stop = async () => {
    await server.stop();
    await directory?.stop();
    mail.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const base = await server.base;
    const { port } = mail.server.address();
    const ldap = directory ? { PEER_LDAP_URL: directory.url } : {};
    return { env: { PEER_BASE: base, PEER_PASSWORD: password, PEER_SMTP_PORT: String(port), ...ldap }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startMailServer() {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => stream.on('end', done).resume(),
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return server;
}

/** The server as its own process, on a free port. Its log is shown, so that a failure of a peer has its cause beside it. */
function startServer(main, folder) {
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `file:${join(folder, 'peers.db')}`,
    ADMIN_PASSWORD: password,
    // the peers have it fetch documents of its own
    FETCH_ALLOWED_NETWORKS: '127.0.0.1/32',
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const base = new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the server did not start in ${secondsToStart} seconds`)),
      secondsToStart * 1000,
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const found = startedUrl(output);
      if (found) resolve(`${found}/auth`);
      if (found) clearTimeout(timer);
      for (const line of text.split('\n').filter((line) => line.startsWith('{'))) console.log(line);
    });
    child.once('exit', (status) => reject(new Error(`the server ended with status ${status}`)));
  });
  return {
    base,
    async stop() {
      process.off('exit', killAtExit);
      child.kill('SIGTERM');
      await ended;
    },
  };
}
