// Makes the pictures of the documents, from a server of its own with the realm acme: `npm run pictures`. That of the architecture
// (docs/architecture.svg) is drawn by hand, and the chart of the measurements is made by `npm run bench`.
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
  await importAcme();
  const browser = await startBrowser();
  try {
    const [, query] = /```graphql\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'));
    await take(browser, 'graphiql', 'light', (page) => writeQuery(page, query.trim()));
    await take(browser, 'explorer', 'dark', openExample);
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

async function importAcme() {
  const login = await fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password }),
  });
  const { access_token: token } = await login.json();
  const { status } = await fetch(`${url}/auth/admin/realms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: readFileSync('examples/acme-realm.json'),
  });
  if (status !== 201) throw new Error(`The import of the realm acme was answered with ${status}.`);
}

/** A picture of GraphiQL with the answer to what `prepare` has put into its editor. */
async function take(browser, name, colorScheme, prepare) {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${url}/graphql`);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Username or email').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
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
