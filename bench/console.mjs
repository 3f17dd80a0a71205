// What a browser measures of the console: paints, blocking, layout shifts, interaction, and the JavaScript that it loads. Headless Chromium
// on the built service with a realm of many users, with the CPU as it is and throttled. Prints Markdown tables.
import { parseArgs } from 'node:util';
import { hasBrowser } from '../tools/browser.mjs';
import { administrator, table } from './client.mjs';
import { inConsole, signedIn } from './console-browser.mjs';

const help = `npm run bench -- console [options]
  --users 10000
  --clients 200
  --rounds 5         visits of each screen, of which the median counts
  --throttle 1,4     how many times slower the CPU of the browser is made`;

const { values: args } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    throttle: { type: 'string', default: '1,4' },
    help: { type: 'boolean' },
  },
});
const realm = 'bench';
const screens = {
  overview: { path: realm, ready: 'Recent changes' },
  users: { path: `${realm}/users`, ready: `${Number(args.users).toLocaleString('en')} loaded` },
  clients: { path: `${realm}/clients`, ready: 'loaded' },
};
/** Milliseconds after which a screen counts as still: what it does later is not counted. */
const still = 1500;

async function fill(base) {
  const admin = administrator(base);
  const numbered = (count, make) => Array.from({ length: Number(count) }, (_, at) => make(String(at).padStart(5, '0')));
  await admin.call('POST', '/', {
    realm,
    enabled: true,
    users: numbered(args.users, (number) => ({
      username: `user-${number}`,
      firstName: 'Ann',
      lastName: `Smith ${number}`,
      email: `user-${number}@example.org`,
      enabled: true,
    })),
    clients: numbered(args.clients, (number) => ({ clientId: `app-${number}`, enabled: true })),
  });
  admin.close();
}

/** Collects what the browser reports from the start of a page. */
function observe() {
  const seen = { lcp: 0, cls: 0, blocking: 0 };
  window.measured = seen;
  new PerformanceObserver((list) => {
    seen.lcp = list.getEntries().at(-1).startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) seen.cls += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocking += Math.max(duration - 50, 0);
  }).observe({ type: 'longtask', buffered: true });
}

/** A visit of a screen with an empty cache and a session of the server, in milliseconds and bytes. */
async function visit(context, base, { path, ready }, throttle) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  await page.addInitScript(observe);
  await page.goto(`${base}/console/master/${path}`);
  await page.getByText(ready).first().waitFor();
  await page.waitForTimeout(still);
  const measured = await page.evaluate(() => ({
    ...window.measured,
    fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    // of this document: the one before it led to the login
    bytes: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  }));
  const typing = path.endsWith('/users') ? await typed(page) : undefined;
  await page.close();
  return { ...measured, typing };
}

/** A line that is slow: 1.6 Mbit/s in each direction, and 150 ms for a round trip. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };

/** Milliseconds until rows of users are shown: after a click in a console that is open, and in a browser without a cache on a slow line. */
async function rowsOfUsers(context, base) {
  const page = await context.newPage();
  const row = page.getByText('user-00003').first();
  await page.goto(`${base}/console/master/${realm}`);
  await page.getByText('Recent changes').waitFor();
  const byClick = await page.evaluate(async () => {
    const began = performance.now();
    [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === 'Users').click();
    while (!document.body.textContent.includes('user-00003')) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await session.send('Network.emulateNetworkConditions', slowLine);
  const began = performance.now();
  await page.goto(`${base}/console/master/${realm}/users`);
  await row.waitFor();
  const onSlowLine = performance.now() - began;
  await page.close();
  return { byClick, onSlowLine };
}

/** Milliseconds from the last key in the search of users to the rows that it finds, the wait for further keys included. */
async function typed(page) {
  const search = page.getByRole('searchbox', { name: 'Search users' });
  await search.pressSequentially('user-0077');
  await page.evaluate(() => {
    window.found = new Promise((resolve) => {
      addEventListener('keydown', () => (window.pressed = performance.now()), { capture: true, once: true });
      const isFound = () =>
        [...document.querySelectorAll('[role="status"]')].some(({ textContent }) => textContent === '1 of 1 loaded');
      new MutationObserver(() => {
        if (isFound()) requestAnimationFrame(() => resolve(performance.now()));
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  });
  await search.press('7');
  return page.evaluate(async () => (await window.found) - window.pressed);
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
const inMilliseconds = (value) => Math.round(value).toLocaleString('en');
const inKilobytes = (value) => (value / 1000).toFixed(0);

async function measure(browser, base) {
  const rows = [];
  for (const throttle of args.throttle.split(',').map(Number)) {
    const context = await signedIn(browser, base, realm);
    for (const [name, screen] of Object.entries(screens)) {
      const visits = [];
      for (let round = 0; round < Number(args.rounds); round += 1)
        visits.push(await visit(context, base, screen, throttle));
      const of = (field) => median(visits.map((one) => one[field]));
      rows.push([
        name,
        `${throttle}×`,
        inMilliseconds(of('fcp')),
        inMilliseconds(of('lcp')),
        inMilliseconds(of('blocking')),
        of('cls').toFixed(3),
        visits[0].typing === undefined ? '–' : inMilliseconds(of('typing')),
        inKilobytes(of('bytes')),
      ]);
    }
    await context.close();
  }
  const context = await signedIn(browser, base, realm);
  const visits = [];
  for (let round = 0; round < Number(args.rounds); round += 1) visits.push(await rowsOfUsers(context, base));
  const of = (field) => inMilliseconds(median(visits.map((one) => one[field])));
  const shown = table(
    ['rows of users', 'ms'],
    [
      ['after a click', of('byClick')],
      ['empty cache, 1.6 Mbit/s, 150 ms', of('onSlowLine')],
    ],
  );
  const columns = ['screen', 'CPU', 'FCP ms', 'LCP ms', 'TBT ms', 'CLS', 'typing to rows ms', 'JavaScript kB'];
  return `${table(columns, rows)}\n${shown}`;
}

if (args.help) console.log(help);
else if (hasBrowser) console.log(await inConsole(fill, measure));
else {
  console.error('Chromium is not installed. On Debian: apt-get install chromium');
  process.exitCode = 1;
}
