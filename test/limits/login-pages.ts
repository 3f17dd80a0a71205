import { expect } from 'vitest';
import type { Page as ShownPage } from '../../src/services/login/attempt.js';
import { type Agent, agentOf, authorizationUrl, linkOf, type Page, pkce, token } from '../login/agent.js';
import type { Mailbox } from '../mail/mailbox.js';
import type { Caller } from '../support/fixture.js';

// The ways of a browser to each page of a login, in a realm with much in it.

const password = 'right-one';
const otp = {
  type: 'otp',
  secretData: JSON.stringify({ value: 'abcdefghijklmnopqrst' }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1', counter: 0 }),
};
const asking = 'asking';
const redirectUri = 'https://visited.example/back';
/** A client with every way to get tokens. */
const visited = {
  clientId: 'visited',
  secret: 'visited-secret',
  redirectUris: [redirectUri],
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  authorizationServicesEnabled: true,
  attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
};

const visitor = (username: string, more: object = {}) => ({
  username,
  enabled: true,
  email: `${username}@visitor.example`,
  emailVerified: true,
  firstName: 'Vi',
  lastName: 'Sitor',
  credentials: [{ type: 'password', value: password }],
  ...more,
});
let visitors = 0;

/** Adds what the ways need: clients, users with something to do, and mail. */
export async function prepareLogins(admin: Caller, realm: string, mailbox: Mailbox): Promise<void> {
  const added = await admin.send('POST', `/${realm}/partialImport`, {
    ifResourceExists: 'FAIL',
    clients: [visited, { clientId: asking, publicClient: true, consentRequired: true, redirectUris: [redirectUri] }],
    users: [
      visitor('visitor', { clientRoles: { account: ['manage-account'] } }),
      visitor('registrar', { clientRoles: { 'realm-management': ['realm-admin'] } }),
      visitor('with-otp', { credentials: [{ type: 'password', value: password }, otp] }),
    ],
  });
  const settings = await admin.send('PUT', `/${realm}`, {
    registrationAllowed: true,
    resetPasswordAllowed: true,
    rememberMe: true,
    smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@large.example' },
  });
  const terms = await admin.send('GET', `/${realm}/authentication/required-actions/terms_and_conditions`);
  const isOn = await admin.send('PUT', `/${realm}/authentication/required-actions/terms_and_conditions`, {
    ...terms.body,
    enabled: true,
  });
  const isRegistered = await admin.send('POST', `/${realm}/authentication/register-required-action`, {
    providerId: 'webauthn-register',
    name: 'Security key',
  });
  const failed = [added, settings, isOn, isRegistered].find(({ status }) => status >= 300);
  if (failed) throw new Error(`${failed.status} ${JSON.stringify(failed.body)}`);
}

/** A page in the browser that shows it. */
export interface Visit {
  agent: Agent;
  page: Page;
}

/** A server that is there once the tests run. */
type Running = () => { url: string; admin: Caller; mailbox: Mailbox };

/** The ways to the pages of a login; the compiler knows of one that is missing. Undefined for pages without a form. */
export function waysToPages(
  realm: string,
  running: Running,
): Readonly<Record<ShownPage['name'], (() => Promise<Visit>) | undefined>> {
  const begin = async (clientId = visited.clientId): Promise<Visit> => {
    const agent = agentOf(running());
    const request = {
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    };
    return { agent, page: await agent.get(authorizationUrl(realm, request)) };
  };
  const turn = (part: string) => async (): Promise<Visit> => {
    const { agent, page } = await begin();
    return { agent, page: await agent.get(linkOf(page, part)) };
  };
  const logIn =
    (username: string, clientId = visited.clientId) =>
    async (): Promise<Visit> => {
      const { agent, page } = await begin(clientId);
      return { agent, page: await agent.submit(page, { username, password }) };
    };
  /** A new user, because a form can be accepted. */
  const firstLogin = (more: object, clientId?: string) => async (): Promise<Visit> => {
    visitors += 1;
    const user = visitor(`visitor-${visitors}`, more);
    const { status } = await running().admin.send('POST', `/${realm}/users`, user);
    expect(status).toBe(201);
    return logIn(user.username, clientId)();
  };
  const withAction = (action: string, more: object = {}) => firstLogin({ requiredActions: [action], ...more });
  const forget = async (): Promise<Visit> => {
    const { agent, page } = await turn('reset-credentials')();
    const { mailbox } = running();
    const before = mailbox.mails.length;
    await agent.submit(page, { username: 'visitor' });
    await expect.poll(() => mailbox.mails.length, { timeout: 10_000 }).toBeGreaterThan(before);
    return { agent, page: await agent.get(mailbox.link()) };
  };
  return {
    login: () => begin(),
    resetPassword: turn('reset-credentials'),
    register: turn('registration'),
    followLink: forget,
    info: undefined,
    // these have buttons only
    linkConfirm: undefined,
    linkMail: undefined,
    newCodes: undefined,
    certificate: undefined,
    deleteAccount: undefined,
    otp: logIn('with-otp'),
    // takes a code as the page before does
    recoveryCode: undefined,
    updatePassword: withAction('UPDATE_PASSWORD'),
    updateProfile: withAction('UPDATE_PROFILE'),
    configureTotp: withAction('CONFIGURE_TOTP'),
    terms: withAction('terms_and_conditions'),
    registerKey: withAction('webauthn-register'),
    // has the field of registerKey
    useKey: undefined,
    verifyEmail: withAction('VERIFY_EMAIL', { emailVerified: false }),
    consent: firstLogin({}, asking),
  };
}

/** The names of the fields of the form on a page. */
export const fieldsOnPage = ({ text }: Page): string[] =>
  [...text.matchAll(/<(?:input|button)[^>]* name="([^"]+)"/g)].map(([, name = '']) => name);

/** Values with which requests to the addresses of clients and browsers get far. */
export async function usualParameters(server: { url: string }, realm: string): Promise<Record<string, string>> {
  const ofClient = { client_id: visited.clientId, client_secret: visited.secret };
  const ofUser = { username: 'visitor', password };
  const granted = await token(server, realm, { grant_type: 'password', scope: 'openid', ...ofClient, ...ofUser });
  if (granted.status !== 200) throw new Error(`${granted.status} ${JSON.stringify(granted.body)}`);
  const { access_token = '', refresh_token = '', id_token = '' } = granted.body;
  const { challenge, verifier } = pkce();
  return {
    ...{ ...ofClient, ...ofUser, access_token, refresh_token, token: access_token, id_token_hint: id_token },
    ...{ response_type: 'code', redirect_uri: redirectUri, post_logout_redirect_uri: redirectUri, scope: 'openid' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', code_verifier: verifier },
    ...{ audience: visited.clientId, device_user_code: 'AAAA-AAAA', origin: 'https://visited.example' },
  };
}

/** A token with which the addresses below `path` answer: of a resource server, of a user with an account, or of somebody who may register clients. */
export async function callerToken(server: { url: string }, realm: string, path: string): Promise<string> {
  const form: Record<string, string> = path.includes('/authz/protection/')
    ? { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'shop-secret' }
    : path.includes('/account')
      ? {
          grant_type: 'password',
          client_id: visited.clientId,
          client_secret: visited.secret,
          username: 'visitor',
          password,
        }
      : { grant_type: 'password', client_id: 'admin-cli', username: 'registrar', password };
  const { status, body } = await token(server, realm, form);
  expect(status).toBe(200);
  return body.access_token ?? '';
}
