// A database with the master realm and its administrator, from which the databases of the tests are copied.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the server if its sources changed, and lets it prepare a new database.
 * @param {string} databaseUrl
 */
export async function prepareTemplate(databaseUrl) {
  execFileSync(process.execPath, ['tools/prepare.mjs'], { cwd: project, stdio: 'inherit' });
  const { PATH = '', HOME = '' } = process.env;
  const settings = { HOST: '127.0.0.1', PORT: '0', ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'admin' };
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: { PATH, HOME, ...settings, DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server.stdout.setEncoding('utf8').on('data', (text) => {
    if (text.includes('Health')) server.kill('SIGTERM');
  });
  const [status] = await once(server, 'exit');
  if (status !== 0) throw new Error(`The server that prepares a database for the tests ended with ${status}.`);
}
