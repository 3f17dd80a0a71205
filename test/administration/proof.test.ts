import { beforeAll, describe, expect, it } from 'vitest';
import { type Agent, agentOf, authorizationUrl, type Page, token } from '../login/agent.js';
import { callback } from '../login/realm.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer, type TestServer } from '../support/server.js';
import { hostileRealm } from './fixture.js';

// Who changes flows tries to log in as an administrator without a credential of that administrator.
const realm = 'open';
let server: TestServer;
let attacker: Caller;
let ofClients: Caller;
let ofEvents: Caller;

const purposes = {
  direct: { setting: 'directGrantFlow', first: 'direct-grant-validate-username' },
  browser: { setting: 'browserFlow', first: 'auth-username-form' },
  reset: { setting: 'resetCredentialsFlow', first: 'reset-credentials-choose-user' },
} as const;
type Purpose = keyof typeof purposes;

const step = (authenticator: string, requirement: string, priority: number) => ({
  authenticator,
  requirement,
  priority,
});
const flow = (alias: string, topLevel: boolean, ...authenticationExecutions: object[]) => ({
  alias,
  providerId: 'basic-flow',
  topLevel,
  builtIn: false,
  authenticationExecutions,
});
const into = (flowAlias: string, requirement: string, priority: number) => ({
  flowAlias,
  authenticatorFlow: true,
  requirement,
  priority,
});

/** Flows that begin with the name of the user and have one more step, or a step below one that is not for this user. */
function flowsOf(purpose: Purpose, authenticators: readonly string[]): ReturnType<typeof flow>[][] {
  const name = step(purposes[purpose].first, 'REQUIRED', 10);
  const alone = [flow(`${purpose} alone`, true, name)];
  const pairs = authenticators.flatMap((authenticator) => [
    ...['REQUIRED', 'ALTERNATIVE'].map((requirement) => [
      flow(`${purpose} ${authenticator} ${requirement}`, true, name, step(authenticator, requirement, 20)),
    ]),
    [
      flow(
        `${purpose} ${authenticator} below a condition`,
        true,
        name,
        into(`${purpose} ${authenticator} inner`, 'CONDITIONAL', 20),
      ),
      flow(
        `${purpose} ${authenticator} inner`,
        false,
        step('conditional-user-configured', 'REQUIRED', 10),
        step(authenticator, 'ALTERNATIVE', 20),
      ),
    ],
  ]);
  return [alone, ...pairs];
}

const all = {} as Record<Purpose, string[]>;
const right = flow(
  'right',
  true,
  step('direct-grant-validate-username', 'REQUIRED', 10),
  step('direct-grant-validate-password', 'REQUIRED', 20),
);

beforeAll(async () => {
  server = await startServer();
  const admin = await administrator(server);
  const known = (await admin.send('GET', '/master/authentication/authenticator-providers')).body;
  const authenticators = sampled<string>(
    known.map(({ id }: { id: string }) => id),
    8,
  );
  const made = (Object.keys(purposes) as Purpose[]).flatMap((purpose) => {
    const flows = flowsOf(purpose, authenticators);
    all[purpose] = flows.map(([top]) => top?.alias ?? '');
    return flows.flat();
  });
  const base = hostileRealm(realm);
  const { status, body } = await admin.send('POST', '/', {
    ...base,
    accessTokenLifespan: 3600,
    eventsEnabled: true,
    resetPasswordAllowed: true,
    directGrantFlow: 'right',
    authenticationFlows: [right, ...made],
    clients: [
      ...base.clients,
      {
        clientId: 'open',
        publicClient: true,
        directAccessGrantsEnabled: true,
        redirectUris: [callback],
        attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
      },
    ],
  });
  expect([status, body]).toEqual([201, '']);
  attacker = await userOf(server, realm, 'manage-realm', 'pw');
  ofClients = await userOf(server, realm, 'manage-clients', 'pw');
  ofEvents = await userOf(server, realm, 'view-events', 'pw');
});

/** Whether a flow can be bound. One with a step that is not there cannot; test/login has logins by such flows of imported realms. */
async function bind(purpose: Purpose, alias: string): Promise<boolean> {
  const { status, body } = await attacker.send('PUT', `/${realm}`, { [purposes[purpose].setting]: alias });
  if (status === 400) expect(body.errorMessage).toContain('which is not available for these logins');
  else expect(status).toBe(204);
  return status === 204;
}

const grant = (password?: string, client_id = 'open') =>
  token(server, realm, {
    grant_type: 'password',
    client_id,
    username: 'boss',
    ...(password !== undefined && { password }),
  });

/** Types the name of the administrator, and nonsense, into each page that comes; whether that ends in a login. */
async function getsIn(agent: Agent, first: Page): Promise<boolean> {
  let page = first;
  for (let pages = 0; pages < 4; pages += 1) {
    if (page.location) return new URL(page.location).searchParams.has('code');
    if (page.status !== 200 || !page.text.includes('<form method="post"')) return false;
    if (page.text.includes('password-new')) return true;
    page = await agent.submit(page, { username: 'boss', otp: '123456' });
  }
  return false;
}

const login = authorizationUrl(realm, { client_id: 'open', redirect_uri: callback });

describe('a flow without a credential', () => {
  it('gives no tokens of an administrator by a direct grant', async () => {
    const reached: string[] = [];
    for (const alias of all.direct) {
      if (!(await bind('direct', alias))) continue;
      if ((await grant()).status === 200) reached.push(alias);
    }
    expect(reached).toEqual([]);
    await bind('direct', 'direct alone');
    expect((await grant('pw')).body).toMatchObject({ error: 'invalid_grant' });
    const [event] = (await ofEvents.send('GET', `/${realm}/events?type=LOGIN_ERROR&max=1`)).body;
    expect(event).toMatchObject({ error: 'invalid_authentication_flow', details: { reason: 'no password' } });
    await bind('direct', 'right');
    expect((await grant()).status).toBe(401);
    expect((await grant('pw')).status).toBe(200);
  });

  it('gives none where a client has it instead of that of the realm', async () => {
    const { body: flows } = await attacker.send('GET', `/${realm}/authentication/flows`);
    const idOf = (alias: string) => flows.find((flow: { alias: string }) => flow.alias === alias).id;
    const authenticationFlowBindingOverrides = {
      direct_grant: idOf('direct alone'),
      browser: idOf('browser alone'),
    };
    const made = await ofClients.send('POST', `/${realm}/clients`, {
      clientId: 'lure',
      publicClient: true,
      directAccessGrantsEnabled: true,
      redirectUris: [callback],
      authenticationFlowBindingOverrides,
    });
    expect(made.status).toBe(201);
    expect((await grant(undefined, 'lure')).status).toBe(400);
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl(realm, { client_id: 'lure', redirect_uri: callback }));
    expect(await getsIn(agent, page)).toBe(false);
  });

  it('gives no session in a browser', async () => {
    const reached: string[] = [];
    for (const alias of all.browser) {
      if (!(await bind('browser', alias))) continue;
      const agent = agentOf(server);
      if (await getsIn(agent, await agent.get(login))) reached.push(alias);
    }
    expect(reached).toEqual([]);
  });

  it('gives nothing to a device', async () => {
    await bind('browser', 'browser alone');
    const asked = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/auth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'open' }),
    });
    const { verification_uri_complete, device_code } = (await asked.json()) as Record<string, string>;
    const agent = agentOf(server);
    expect(await getsIn(agent, await agent.get(verification_uri_complete ?? ''))).toBe(false);
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const polled = await token(server, realm, { grant_type, client_id: 'open', device_code: device_code ?? '' });
    expect(polled.body.error).toBe('authorization_pending');
  });

  it('sets no new password', async () => {
    const reached: string[] = [];
    await bind('browser', 'browser auth-password-form REQUIRED');
    for (const alias of all.reset) {
      if (!(await bind('reset', alias))) continue;
      const agent = agentOf(server);
      const address = login.replace('/auth?', '/forgot-credentials?');
      if (await getsIn(agent, await agent.get(address))) reached.push(alias);
    }
    expect(reached).toEqual([]);
  });
});
