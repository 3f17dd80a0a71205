import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const step = (authenticator: string, requirement: string, priority: number) => ({
  authenticator,
  requirement,
  priority,
});
const flow = (alias: string, ...authenticationExecutions: object[]) => ({
  alias,
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions,
});

describe.skipIf(!hasBrowser)('a security key', () => {
  let server: TestServer;
  let admin: Caller;
  let browser: Browser;
  /** the server at a name, as keys belong to one */
  let origin: string;

  beforeAll(async () => {
    server = await startServer();
    origin = server.url.replace('127.0.0.1', 'localhost');
    admin = await administrator(server);
    await importShop(admin, {
      webAuthnPolicyPasswordlessRequireResidentKey: 'Yes',
      webAuthnPolicyPasswordlessUserVerificationRequirement: 'required',
      authenticationFlows: [
        flow(
          'second factor',
          step('auth-username-password-form', 'REQUIRED', 10),
          step('webauthn-authenticator', 'REQUIRED', 20),
        ),
        flow(
          'passkey first',
          step('webauthn-authenticator-passwordless', 'ALTERNATIVE', 10),
          step('auth-username-password-form', 'ALTERNATIVE', 20),
        ),
        flow(
          'passkey beside',
          step('auth-username-password-form', 'ALTERNATIVE', 10),
          step('webauthn-authenticator-passwordless', 'ALTERNATIVE', 20),
        ),
      ],
    });
    for (const alias of ['webauthn-register', 'webauthn-register-passwordless']) {
      const path = '/admin/realms/shop/authentication/register-required-action';
      expect((await admin.send('POST', path, { providerId: alias, name: alias })).status).toBe(204);
    }
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const bind = async (browserFlow: string) =>
    expect((await admin.send('PUT', '/admin/realms/shop', { browserFlow })).status).toBe(204);
  const change = async (settings: object) =>
    expect((await admin.send('PUT', '/admin/realms/shop', settings)).status).toBe(204);
  const userOf = async (username: string) =>
    (await admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body[0];
  const keysOf = async (username: string): Promise<{ type: string; userLabel?: string; credentialData: string }[]> =>
    (await admin.send('GET', `/admin/realms/shop/users/${(await userOf(username)).id}/credentials`)).body.filter(
      ({ type }: { type: string }) => type.startsWith('webauthn'),
    );

  /** A browser with an authenticator of its own. */
  async function visitor(): Promise<{ page: Page; devtools: CDPSession; authenticatorId: string }> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { page, devtools, authenticatorId };
  }
  const begin = async (page: Page) => {
    await page.goto(`${origin}/auth/realms/shop/account/`);
    await page.getByRole('link', { name: 'Sign in' }).click();
  };
  const typePassword = async (page: Page, username: string) => {
    await page.getByLabel('Username or email').fill(username);
    await page.getByLabel('Password').fill(`pw-${username}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const signedIn = (page: Page, username: string) => page.getByText(`You are signed in as ${username}.`).waitFor();
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
  };

  it('is set up at a login that requires one, and is asked for from then on', async () => {
    await bind('second factor');
    const { page, devtools, authenticatorId } = await visitor();
    await begin(page);
    await typePassword(page, 'ann');
    await page.getByRole('heading', { name: 'Register a security key' }).waitFor();
    await page.getByLabel('Name of the key').fill('Key of Ann');
    await page.getByRole('button', { name: 'Register' }).click();
    await signedIn(page, 'ann');
    const [key] = await keysOf('ann');
    expect(key).toMatchObject({ type: 'webauthn', userLabel: 'Key of Ann' });
    expect(JSON.parse(key?.credentialData ?? '')).toMatchObject({
      counter: expect.any(Number),
      credentialId: expect.any(String),
    });
    await signOut(page);
    await begin(page);
    await typePassword(page, 'ann');
    await page.getByRole('button', { name: 'Use security key' }).click();
    await signedIn(page, 'ann');
    const [used] = await keysOf('ann');
    expect(JSON.parse(used?.credentialData ?? '').counter).toBeGreaterThan(
      JSON.parse(key?.credentialData ?? '').counter,
    );
    await signOut(page);
    // without the key, the password alone does not do
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await begin(page);
    await typePassword(page, 'ann');
    await page.getByRole('button', { name: 'Use security key' }).click();
    await page.getByText('The security key was not accepted.').waitFor();
    // nor is there another way where there is none
    expect(await page.getByRole('button', { name: 'Try another way' }).count()).toBe(0);
  });

  it('logs a user in without a name and a password, and another one by a password', async () => {
    await bind('passkey first');
    const { page } = await visitor();
    const { id, ...user } = await userOf('bob');
    const requiredActions = ['webauthn-register-passwordless'];
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { ...user, requiredActions })).status).toBe(204);
    await begin(page);
    await page.getByRole('button', { name: 'Try another way' }).click();
    await typePassword(page, 'bob');
    await page.getByRole('button', { name: 'Register' }).click();
    await signedIn(page, 'bob');
    expect(await keysOf('bob')).toMatchObject([{ type: 'webauthn-passwordless' }]);
    await signOut(page);
    await begin(page);
    await page.getByRole('button', { name: 'Use security key' }).click();
    await signedIn(page, 'bob');
    await signOut(page);
    // a key of a user who is disabled does not count
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { enabled: false })).status).toBe(204);
    await begin(page);
    await page.getByRole('button', { name: 'Use security key' }).click();
    await page.getByRole('alert').filter({ hasText: 'This account is disabled' }).waitFor();
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { enabled: true })).status).toBe(204);
  });

  it('is offered by the browser in the form for name and password', async () => {
    await bind('passkey beside');
    const { page, devtools, authenticatorId } = await visitor();
    const { id, ...user } = await userOf('dora');
    const requiredActions = ['webauthn-register-passwordless'];
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { ...user, requiredActions })).status).toBe(204);
    const waits = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await begin(page);
    await typePassword(page, 'dora');
    await page.getByRole('button', { name: 'Register' }).click();
    await signedIn(page, 'dora');
    await signOut(page);
    // as if the user had chosen what the browser offers
    await begin(page);
    await signedIn(page, 'dora');
    await signOut(page);
    await waits(false);
    await begin(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await typePassword(page, 'ann');
    await signedIn(page, 'ann');
    await signOut(page);
    // a browser that offers nothing by itself has the button
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await waits(true);
    await begin(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signedIn(page, 'dora');
  });

  it('is of a model that the policy allows, and not registered twice', async () => {
    await bind('second factor');
    await change({ webAuthnPolicyAcceptableAaguids: ['00000000-0000-0000-0000-000000000001'] });
    const { page } = await visitor();
    await begin(page);
    await typePassword(page, 'carl');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('The security key was not registered.').waitFor();
    expect(await keysOf('carl')).toEqual([]);
    await change({ webAuthnPolicyAcceptableAaguids: [], webAuthnPolicyAvoidSameAuthenticatorRegister: true });
    await page.getByRole('button', { name: 'Register' }).click();
    await signedIn(page, 'carl');
    const again = new URLSearchParams({
      client_id: 'account',
      response_type: 'code',
      scope: 'openid',
      kc_action: 'webauthn-register',
      redirect_uri: `${origin}/auth/realms/shop/account/`,
    });
    await page.goto(`${origin}/auth/realms/shop/protocol/openid-connect/auth?${again}`);
    // the flow has no step for sessions
    await typePassword(page, 'carl');
    await page.getByRole('button', { name: 'Use security key' }).click();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('The security key was not registered.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/kc_action_status=cancelled/);
    expect(await keysOf('carl')).toHaveLength(1);
  });
});
