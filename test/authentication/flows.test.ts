import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm: 'flows',
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us' } }],
    },
    {},
    slowClock,
  ));
});

const at = '/flows/authentication';
const send = (method: string, path: string, body?: unknown): Promise<Answer> => admin.send(method, at + path, body);
const named = (alias: string) => `/flows/${encodeURIComponent(alias)}`;
const idIn = ({ headers }: Answer): string => (headers.get('location') ?? '').split('/').at(-1) ?? '';
const create = async (alias: string, more: object = {}): Promise<string> =>
  idIn(await send('POST', '/flows', { alias, providerId: 'basic-flow', topLevel: true, ...more }));
const addFlow = (parent: string, alias: string) =>
  send('POST', `${named(parent)}/executions/flow`, { alias, type: 'basic-flow' });
const addStep = (parent: string, provider = 'auth-cookie') =>
  send('POST', `${named(parent)}/executions/execution`, { provider });
interface Line {
  id: string;
  displayName: string;
  level: number;
  flowId?: string;
  authenticationConfig?: string;
}
const lines = async (alias: string): Promise<Line[]> => (await send('GET', `${named(alias)}/executions`)).body;
const statementsOf = async (work: () => Promise<Answer>): Promise<[number, number]> => {
  const { result, statements } = await measureStatements(server, work);
  return [result.status, statements];
};

/** A flow with flows in it, each with two steps. */
async function nested(alias: string, levels: number): Promise<string> {
  const id = await create(alias);
  for (let level = 0; level < levels; level++) {
    const parent = level === 0 ? alias : `${alias} ${level}`;
    await addStep(parent);
    await addFlow(parent, `${alias} ${level + 1}`);
  }
  return id;
}

describe('a tree of flows', () => {
  it('is copied and deleted as a whole, in as many statements whatever its size', async () => {
    await nested('small', 1);
    await nested('large', 9);
    const copied = async (alias: string) =>
      statementsOf(() => send('POST', `${named(alias)}/copy`, { newName: `copy of ${alias}` }));
    const [ofSmall, ofLarge] = [await copied('small'), await copied('large')];
    expect(ofSmall[0]).toBe(201);
    expect(ofLarge).toEqual(ofSmall);
    const shape = (list: Line[], prefix: string) =>
      list.map(({ displayName, level }) => [displayName.replace(prefix, ''), level]);
    expect(shape(await lines('copy of large'), 'copy of large ')).toEqual(shape(await lines('large'), ''));
    const flows = await server.database.read.authenticationFlow.count();
    const idOf = async (alias: string) =>
      (await send('GET', '/flows')).body.find((flow: { alias: string }) => flow.alias === alias).id;
    const deleted = async (alias: string) => {
      const id = await idOf(alias);
      return statementsOf(() => send('DELETE', `/flows/${id}`));
    };
    const gone = [await deleted('copy of small'), await deleted('copy of large')];
    expect(gone[0]?.[0]).toBe(204);
    expect(gone[1]).toEqual(gone[0]);
    expect(await server.database.read.authenticationFlow.count()).toBe(flows - 2 - 10);
    expect((await lines('large')).length).toBe(18);
  });

  it('is 20 levels deep at most', async () => {
    await nested('deep', 20);
    expect(await addFlow('deep 20', 'deep 21')).toMatchObject({ status: 400 });
    expect(await addStep('deep 20')).toMatchObject({ status: 201 });
    expect((await lines('deep')).at(-1)?.level).toBe(20);
  });

  it('has no circles and no flow in two places', async () => {
    const outer = await create('outer', { topLevel: false });
    const other = await create('other', { topLevel: false });
    const inner = idIn(await addFlow('outer', 'inner'));
    const attach = (parentFlow: string, flowId: string) =>
      send('POST', '/executions', { parentFlow, flowId, requirement: 'REQUIRED' });
    expect((await attach(inner, outer)).body).toEqual({ errorMessage: 'A flow must not contain itself' });
    expect((await attach(other, inner)).status).toBe(400);
    expect((await attach(other, await create('top'))).status).toBe(400);
    // of two that would make a circle together one comes too late
    const both = await Promise.all([attach(inner, other), attach(other, outer)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  it('keeps what only a deleted step led to elsewhere', async () => {
    await admin.send('POST', '/', {
      realm: 'shared',
      authenticationFlows: ['one', 'two', 'common'].map((alias) => ({
        alias,
        providerId: 'basic-flow',
        topLevel: alias !== 'common',
        authenticationExecutions:
          alias === 'common' ? [] : [{ flowAlias: 'common', requirement: 'REQUIRED', priority: 1 }],
      })),
    });
    const flows = (await admin.send('GET', '/shared/authentication/flows')).body as { id: string; alias: string }[];
    const one = flows.find(({ alias }) => alias === 'one')?.id;
    expect((await admin.send('DELETE', `/shared/authentication/flows/${one}`)).status).toBe(204);
    const left = await admin.send('GET', '/shared/authentication/flows/two/executions');
    expect(left.body).toMatchObject([{ displayName: 'common', level: 0 }]);
  });
});

describe('steps', () => {
  it('keep an order when many are moved at once', async () => {
    await create('moved');
    for (let count = 0; count < 6; count++) await addStep('moved');
    const before = (await lines('moved')).map(({ id }) => id);
    await Promise.all(
      before.flatMap((id, index) => [
        send('POST', `/executions/${id}/${index % 2 ? 'raise' : 'lower'}-priority`),
        send('POST', `/executions/${id}/lower-priority`),
      ]),
    );
    const rows = await server.database.read.authenticationExecution.findMany({
      where: { id: { in: before } },
      select: { priority: true },
    });
    expect(rows.map(({ priority }) => priority).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect((await lines('moved')).map(({ id }) => id).sort()).toEqual([...before].sort());
  });

  it('change places also where two have the same priority', async () => {
    await admin.send('POST', '/', {
      realm: 'equal',
      authenticationFlows: [
        {
          alias: 'even',
          providerId: 'basic-flow',
          topLevel: true,
          authenticationExecutions: ['auth-cookie', 'auth-spnego', 'auth-otp-form'].map((authenticator) => ({
            authenticator,
            requirement: 'REQUIRED',
            priority: 5,
          })),
        },
      ],
    });
    const order = async () =>
      ((await admin.send('GET', '/equal/authentication/flows/even/executions')).body as Line[]).map(({ id }) => id);
    const [first, second, third] = await order();
    await admin.send('POST', `/equal/authentication/executions/${third}/raise-priority`);
    expect(await order()).toEqual([first, third, second]);
  });

  it('are 100 in a flow at most', async () => {
    const id = await create('long');
    const realm = (await admin.send('GET', '/flows')).body.id;
    await server.database.read.authenticationExecution.count();
    await server.database.transaction(async (tx) => {
      await tx.authenticationExecution.createMany({
        data: Array.from({ length: 100 }, (_, priority) => ({
          id: `long-${priority}`,
          realmId: realm,
          flowId: id,
          authenticator: 'auth-cookie',
          requirement: 'DISABLED',
          priority,
        })),
      });
    });
    expect(await addStep('long')).toMatchObject({
      status: 400,
      body: { errorMessage: 'A flow must have at most 100 executions' },
    });
  });
});

describe('a flow in use', () => {
  const put = (body: object) => admin.send('PUT', '/flows', body);
  const partner = (body: object) =>
    admin.send('PUT', '/flows/identity-provider/instances/partner', {
      alias: 'partner',
      providerId: 'oidc',
      config: { clientId: 'us' },
      ...body,
    });

  it('stays what the realm and its providers use under another name', async () => {
    const id = await create('old name');
    await put({ browserFlow: 'old name' });
    await partner({ firstBrokerLoginFlowAlias: 'old name', postBrokerLoginFlowAlias: 'old name' });
    const renamed = await send('PUT', `/flows/${id}`, { alias: 'new name', providerId: 'basic-flow', topLevel: true });
    expect(renamed.status).toBe(202);
    expect((await admin.send('GET', '/flows')).body.browserFlow).toBe('new name');
    const { body } = await admin.send('GET', '/flows/identity-provider/instances/partner');
    expect([body.firstBrokerLoginFlowAlias, body.postBrokerLoginFlowAlias]).toEqual(['new name', 'new name']);

    expect((await send('DELETE', `/flows/${id}`)).body.errorMessage).toMatch(/in use as browserFlow of the realm/);
    await put({ browserFlow: 'browser' });
    expect((await send('DELETE', `/flows/${id}`)).body.errorMessage).toMatch(/identity provider partner/);
    await partner({});
    expect((await send('DELETE', `/flows/${id}`)).status).toBe(204);
  });

  it('stays also where it would go with the flow above it', async () => {
    const id = await create('above');
    await addFlow('above', 'used below');
    await put({ registrationFlow: 'used below' });
    expect((await send('DELETE', `/flows/${id}`)).status).toBe(409);
    expect(await lines('above')).toHaveLength(1);
    await put({ registrationFlow: 'registration' });
  });

  it('is either bound or deleted, when both are tried at once', async () => {
    const id = await create('contested');
    const [bound, deleted] = await Promise.all([put({ browserFlow: 'contested' }), send('DELETE', `/flows/${id}`)]);
    expect([
      [204, 409],
      [400, 204],
    ]).toContainEqual([bound.status, deleted.status]);
    await put({ browserFlow: 'browser' });
  });
});

describe('a configuration', () => {
  it('shows no secret, in answers and in admin events, and keeps the one that a mask stands for', async () => {
    await create('form', { providerId: 'form-flow' });
    const step = idIn(await addStep('form', 'registration-recaptcha-action'));
    const config = { 'site.key': 'public', secret: 'hush-hush' };
    const made = idIn(await send('POST', `/executions/${step}/config`, { alias: 'captcha', config }));
    const shown = (await send('GET', `/config/${made}`)).body;
    expect(shown.config).toEqual({ 'site.key': 'public', secret: '**********' });
    await send('PUT', `/config/${made}`, { ...shown, config: { ...shown.config, 'site.key': 'other' } });
    const row = await server.database.read.authenticatorConfig.findUnique({
      where: { id: made },
      select: { config: true },
    });
    expect(row?.config).toEqual({ 'site.key': 'other', secret: expect.stringMatching(/:hush-hush$/) });
    const events = await admin.send('GET', '/flows/admin-events?max=100');
    expect(JSON.stringify(events.body)).toContain('captcha');
    expect(JSON.stringify(events.body)).not.toContain('hush-hush');
    expect(JSON.stringify((await admin.send('POST', '/flows/partial-export')).body)).not.toContain('hush-hush');
  });
});
