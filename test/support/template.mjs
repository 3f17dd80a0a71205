// A database with the master realm and its administrator, from which the databases of the tests are copied.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setup as build, project } from './build.mjs';
import { startedUrl } from './started.mjs';

/**
 * Builds the server if its sources changed, and lets it prepare a new database.
 * @param {string} databaseUrl
 */
export async function prepareTemplate(databaseUrl) {
  build();
  const { PATH = '', HOME = '' } = process.env;
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    SHUTDOWN_DELAY: '0',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'admin',
  };
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: { PATH, HOME, ...settings, DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const started = new Promise((resolve) => {
    server.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const url = startedUrl(printed);
      if (url) resolve(`${url}/auth`);
    });
  });
  const ended = once(server, 'exit');
  const address = await Promise.race([started, ended.then(() => undefined)]);
  if (address) await lengthenTokens(address).finally(() => server.kill('SIGTERM'));
  const [status] = await ended;
  if (status !== 0) throw new Error(`The server that prepares a database for the tests ended with ${status}.`);
}

/**
 * Has the tokens of administrators last an hour: those of a minute end within a test file on a busy machine.
 * @param {string} address
 */
async function lengthenTokens(address) {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
  const body = new URLSearchParams(form);
  const answer = await fetch(`${address}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token: token } = await answer.json();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const setting = JSON.stringify({ accessTokenLifespan: 3600 });
  const { status } = await fetch(`${address}/admin/realms/master`, { method: 'PUT', headers, body: setting });
  if (status !== 204) throw new Error(`The lifespan of tokens could not be set: ${status}`);
}
