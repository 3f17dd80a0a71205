// A service with a browser beside it, for what is measured of the console.
import { startBrowser } from '../tools/browser.mjs';
import { environment, startDatabase, startService } from './service.mjs';

/** Starts a service on SQLite and a browser; returns what `measure` does, after `fill` has made what is looked at. */
export async function inConsole(fill, measure) {
  const database = await startDatabase('sqlite');
  try {
    const env = await environment(database.url);
    const service = await startService(env);
    const base = `http://127.0.0.1:${env.PORT}`;
    try {
      await fill(base);
      const browser = await startBrowser();
      try {
        return await measure(browser, base);
      } finally {
        await browser.close();
      }
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
  }
}

/** Signs in once, so that what is measured is the screen. */
export async function signedIn(browser, base, realm) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${base}/console/master/${realm}`);
  await page.getByLabel('Username or email').fill('admin');
  await page.getByLabel('Password').fill('admin');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.close();
  return context;
}
