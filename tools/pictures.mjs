// Makes the pictures of the documents, of GraphiQL and the console, from a server of its own with the realm acme: `npm run pictures`, which
// makes the others as well. The chart of the measurements is made by `npm run bench`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasBrowser, startBrowser } from './browser.mjs';
import { freePort } from './free-port.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const pictures = 'docs/pictures';
const password = 'admin';

if (!hasBrowser) {
  console.error('Chromium is not installed. On Debian: apt-get install chromium');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'realmgate-pictures-'));
const url = `http://localhost:${await freePort()}`;
const server = spawn(process.execPath, ['dist/main.js'], {
  env: {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: new URL(url).port,
    DATABASE_URL: `file:${join(folder, 'pictures.db')}`,
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  await answered(`${url}/health/ready`);
  const send = administrator();
  await importAcme(send);
  await useAcme(send);
  const browser = await startBrowser();
  try {
    const [, query] = /```graphql\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'));
    await take(browser, 'graphiql', 'light', (page) => writeQuery(page, query.trim()));
    await take(browser, 'explorer', 'dark', openExample);
    for (const colorScheme of ['light', 'dark']) await takeConsole(browser, colorScheme);
  } finally {
    await browser.close();
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function answered(address) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${address} does not answer.`);
}

/** Sends requests as the administrator, and fails on answers with an error. */
function administrator() {
  return async (method, path, body) => {
    // a token expires while a large realm is imported on a slow machine
    const { access_token: token } = await logIn('master', 'admin-cli', 'admin', password);
    const answer = await fetch(`${url}/auth/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && (typeof body === 'string' ? body : JSON.stringify(body)),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return text && JSON.parse(text);
  };
}

async function logIn(realm, client, username, secret) {
  const login = await fetch(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: client, username, password: secret }),
  });
  return login.json();
}

async function importAcme(send) {
  await send('POST', '', readFileSync('examples/acme-realm.json', 'utf8'));
}

/** Logins and changes, so that the overview has something to show. */
async function useAcme(send) {
  const users = await send('GET', '/acme/users?search=user-00000&max=6');
  for (const { id, username } of users) {
    await send('PUT', `/acme/users/${id}/reset-password`, { type: 'password', value: 'a long password' });
    for (const secret of ['a long password', 'a long password', 'wrong'])
      await logIn('acme', 'bench-login', username, secret);
  }
  await send('POST', '/acme/roles', { name: 'auditor', description: 'Reads everything' });
  await send('POST', '/acme/groups', { name: 'auditors' });
}

/** Pictures of the main screens of the console. */
async function takeConsole(browser, colorScheme) {
  const context = await browser.newContext({ colorScheme, locale: 'en', viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const shown = async (name) => {
    await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    // a checkbox that has just been pressed is half as dark as the others
    await page.evaluate(finishTransitions);
    await page.screenshot({ path: join(pictures, `console-${name}-${colorScheme}.png`) });
  };
  await page.goto(`${url}/console/master/acme`);
  await signIn(page);
  await page.getByRole('heading', { name: 'Recent changes' }).waitFor();
  await shown('overview');
  await page.goto(`${url}/console/master/acme/users`);
  await page.getByRole('checkbox', { name: 'Select user-000002' }).check();
  await page.getByRole('checkbox', { name: 'Select user-000003' }).check();
  await shown('users');
  await page.goto(`${url}/console/master/acme/clients?search=warehouse`);
  await page.getByRole('button', { name: 'warehouse-api' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Stock and orders');
  await page.getByRole('button', { name: 'Check changes' }).click();
  await page.getByText('What would change').waitFor();
  await page.getByRole('button', { name: 'Save' }).scrollIntoViewIfNeeded();
  await shown('client');
  await context.close();
}

function finishTransitions() {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
}

/** A picture of GraphiQL with the answer to what `prepare` has put into its editor. */
async function take(browser, name, colorScheme, prepare) {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${url}/graphql`);
  await page.getByRole('button', { name: 'Log in' }).click();
  await signIn(page);
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  await prepare(page);
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response').getByText('totalCount').first().waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await context.close();
}

async function signIn(page) {
  await page.getByLabel('Username or email').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function writeQuery(page, query) {
  await page.goto(`${url}/graphql?query=${encodeURIComponent(query.replace(/^\{/, 'query Users {'))}`);
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  await page.locator('.graphiql-query-editor').getByText('directRoles').waitFor();
}

async function openExample(page) {
  await page.locator('button[aria-label="Show Examples"]').click();
  await page
    .getByRole('button', { name: /^Users/ })
    .first()
    .click();
  await page.locator('.graphiql-query-editor').getByText('endCursor').waitFor();
}
