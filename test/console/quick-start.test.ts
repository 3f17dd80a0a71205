import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { freePort } from '../../tools/free-port.mjs';
import { login } from '../support/fixture.js';
import { expectAccessible, inAllAppearances, signIn, useConsole, within } from './visitor.js';

// The code that the console shows for a client works as it is copied. The program for browsers is that of test/browser/adapters.test.ts.
const run = promisify(execFile);
const ann = { username: 'ann', password: 'pw' };

describe.skipIf(!hasBrowser)('the quick starts of a client', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'quick',
      enabled: true,
      users: [{ username: ann.username, enabled: true, credentials: [{ type: 'password', value: ann.password }] }],
      clients: [
        { clientId: "it's", publicClient: true, attributes: { 'oauth2.device.authorization.grant.enabled': 'true' } },
        {
          clientId: 'pages',
          secret: 'hush',
          redirectUris: ['http://localhost:*', 'http://localhost/*'],
          serviceAccountsEnabled: true,
        },
        { clientId: 'orders', bearerOnly: true },
        { clientId: 'old', publicClient: true, standardFlowEnabled: false },
        { clientId: 'sp', protocol: 'saml' },
      ],
    });
    expect(made.status).toBe(201);
  });

  /** The code that the console shows, by the title of its section. */
  const codeOf = async (clientId: string, title: string): Promise<string> => {
    const { page, button, heading } = await shop.visit(`master/quick/clients?search=${encodeURIComponent(clientId)}`);
    await button(clientId).click();
    await heading(clientId).waitFor();
    await page.getByRole('tab', { name: 'Quick start' }).click();
    return page.getByRole('region', { name: title }).innerText();
  };

  it('log a user in at a server with pages', async () => {
    const port = await freePort();
    const code = (await codeOf('pages', 'Server with pages')).replaceAll('3000', String(port));
    const server = execFile('node', ['--input-type=module', '--eval', code], {
      env: { ...process.env, CLIENT_SECRET: 'hush' },
    });
    try {
      const page = await (await shop.browser.newContext({ locale: 'en' })).newPage();
      await expect
        .poll(() => page.goto(`http://localhost:${port}/`).then(() => 'served', String), within)
        .toBe('served');
      const form = page.locator('form', { has: page.getByLabel('Password') });
      const action = new URL((await form.getAttribute('action')) ?? '', page.url()).href;
      const answer = await page.request.post(action, { form: ann, maxRedirects: 0 });
      const callback = answer.headers().location ?? '';
      // a link from somebody who logs in does not log in others
      const other = await (await shop.browser.newContext()).newPage();
      expect((await other.goto(callback))?.status()).toBe(400);
      await page.goto(callback);
      await page.getByText('Signed in as ann').waitFor();
    } finally {
      server.kill();
    }
  });

  it('get a token for a service without users', async () => {
    const code = await codeOf('pages', 'Service without users');
    const { stdout } = await run('bash', ['-c', code], { env: { ...process.env, CLIENT_SECRET: 'hush' } });
    expect(JSON.parse(stdout).access_token).toMatch(/^eyJ/);
  });

  it('log a user of a command line in, in any browser', async () => {
    const code = await codeOf("it's", 'Command line');
    const program = execFile('bash', ['-c', code]);
    let output = '';
    program.stdout?.on('data', (text) => (output += text));
    await expect.poll(() => output, within).toMatch(/Open http\S+/);
    const page = await (await shop.browser.newContext({ locale: 'en' })).newPage();
    await page.goto(/Open (\S+)/.exec(output)?.[1] ?? '');
    await page.getByRole('button', { name: 'Submit' }).click();
    await signIn(page, ann);
    await page.getByRole('button', { name: 'Yes' }).click();
    await expect.poll(() => output, within).toContain('"access_token"');
  });

  it('verify the token of a request to an API', async () => {
    const code = await codeOf('orders', 'API that takes tokens');
    const token = await login(shop.server, 'quick', ann.username, ann.password);
    const check = `${code}
const request = { headers: { authorization: 'Bearer ' + process.env.TOKEN } };
console.log(await verifyRequest(request).then(({ sub }) => sub, ({ code }) => code));`;
    const { stdout } = await run('node', ['--input-type=module', '--eval', check], {
      env: { ...process.env, TOKEN: token },
    });
    // it is for another audience
    expect(stdout).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED\n');
  });

  it('say which flow has to be turned on, and are accessible', inAllAppearances, async () => {
    expect(await codeOf('old', 'Single-page application')).toContain('clientId: "old"');
    const [page] = shop.browser.contexts().flatMap((context) => context.pages());
    if (!page) throw new Error('No page is open');
    await page.getByText('“Standard flow” has to be turned on').waitFor();
    await expectAccessible(page);
    expect(await codeOf('sp', 'SAML service provider')).toContain('/auth/realms/quick/protocol/saml/descriptor');
  });
});
