// What the screens of the console ask for: their queries, with the cost and the SQL statements that the service states. Each screen of the
// navigation, and the first object of each list, in the realm of examples/. Prints a Markdown table.
import { readFileSync } from 'node:fs';
import { hasBrowser } from '../tools/browser.mjs';
import { administrator, table } from './client.mjs';
import { inConsole, signedIn } from './console-browser.mjs';

const file = JSON.parse(readFileSync(new URL('../examples/acme-realm.json', import.meta.url), 'utf8'));
const { realm } = file;
/** Milliseconds without a request after which a screen is loaded. */
const quiet = 700;

async function fill(base) {
  const admin = administrator(base);
  await admin.call('POST', '/', file);
  admin.close();
}

/** The queries that a page sends until it is still. The frame has its own, for all screens. */
async function queriesOf(page, act) {
  const queries = new Map();
  let last = Date.now();
  const note = async (response) => {
    if (!response.url().endsWith('/graphql')) return;
    last = Date.now();
    // an answer that the page no longer waits for cannot be read
    const answer = await response.json().catch(() => undefined);
    if (!answer) return;
    const { query } = response.request().postDataJSON();
    const name = /^query (\w+)/m.exec(query)?.[1];
    if (name && name !== 'Shell') queries.set(name, answer.extensions.cost);
    last = Date.now();
  };
  page.on('response', note);
  await act();
  await page.getByRole('heading', { level: 1 }).waitFor();
  while (Date.now() - last < quiet) await page.waitForTimeout(100);
  page.off('response', note);
  return [...queries].map(([name, { requested, statements }]) => ({ name, requested, statements }));
}

async function measure(browser, base) {
  const context = await signedIn(browser, base, realm);
  const page = await context.newPage();
  const home = `${base}/console/master/${realm}`;
  await page.goto(home);
  const links = page.getByRole('navigation').getByRole('link');
  await links.first().waitFor();
  const areas = await links.evaluateAll((all) => all.map(({ href, innerText }) => ({ href, title: innerText.trim() })));
  const rows = [];
  const note = (title, queries) => {
    for (const { name, requested, statements } of queries) rows.push([title, `\`${name}\``, requested, statements]);
  };
  for (const { href, title } of areas) {
    note(title, await queriesOf(page, () => page.goto(href)));
    const row = page
      .getByRole('main')
      .locator(`.row-name, a[href^="${new URL(href).pathname}/"]`)
      .first();
    const group = page.getByRole('treeitem').first();
    if (new URL(href).pathname === new URL(home).pathname) continue;
    if (await group.count()) note(`${title}: one`, await queriesOf(page, () => group.press('Enter')));
    else if (await row.count()) note(`${title}: one`, await queriesOf(page, () => row.click()));
  }
  return table(['screen', 'query', 'cost', 'statements'], rows);
}

if (hasBrowser) console.log(await inConsole(fill, measure));
else {
  console.error('Chromium is not installed. On Debian: apt-get install chromium');
  process.exitCode = 1;
}
