import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';

let admin: Caller;
let realm: string;

beforeAll(async () => {
  admin = await administrator(await startServer({}, slowClock));
  await admin.send('POST', '/', { realm: 'tree', enabled: true, clients: [{ clientId: 'shop' }] });
  realm = (await ask<{ realm: { id: string } }>('{ realm(name: "tree") { id } }')).realm.id;
});

async function ask<D>(query: string): Promise<D> {
  const { data, errors } = await admin.graphql<D>(query);
  expect(errors).toBeUndefined();
  return data;
}

interface Changed {
  userErrors: { code: string; path: string[] | null; message: string }[];
  authenticationFlow?: { id: string; alias: string; version: number };
  flowExecution?: { id: string; priority: number; requirement: string };
  authenticatorConfig?: { id: string; settings: { name: string; value: string | null }[] };
  requiredAction?: { id: string; alias: string; priority: number };
  deletedId?: string;
}
const errors = 'userErrors { code path message }';
const change = async (name: string, input: string, fields: string): Promise<Changed> =>
  (await ask<Record<string, Changed>>(`mutation { ${name}(input: { ${input} }) { ${errors} ${fields} } }`))[
    name
  ] as Changed;
const flowNamed = async (alias: string, fields: string) =>
  (
    await ask<{ realm: { authenticationFlow: never } }>(
      `{ realm(name: "tree") { authenticationFlow(alias: "${alias}") { ${fields} } } }`,
    )
  ).realm.authenticationFlow;

const aFlow = 'authenticationFlow { id alias version }';
const aStep = 'flowExecution { id priority requirement }';
const aConfig = 'authenticatorConfig { id settings { name value } }';
const anAction = 'requiredAction { id alias priority }';
const refusal = (code: string, field: string | null) => [expect.objectContaining({ code, path: field && [field] })];

describe('flows', () => {
  it('are a tree that is read in as many statements whatever its size', async () => {
    const steps = (inside: string) =>
      `executions { displayName requirement provider { kind } config { alias } ${inside} }`;
    const tree = [1, 2, 3, 4].reduce(
      (inside) => steps(`subflow { alias clients { clientId } identityProviders { alias } ${inside} }`),
      steps(''),
    );
    const cost = async (first: number) => {
      const query = `{ realm(name: "tree") { authenticationFlows(first: ${first}) { edges { node { alias uses ${tree} } } } } }`;
      const answer = await admin.graphql(query);
      expect(answer.errors).toBeUndefined();
      return answer.extensions?.cost?.statements ?? 0;
    };
    await cost(1);
    expect(await cost(8)).toBe(await cost(3));
    expect(
      await flowNamed('browser', 'uses kind isBuiltIn executions { displayName subflow { alias isTopLevel } }'),
    ).toEqual({
      uses: ['BROWSER'],
      kind: 'BASIC',
      isBuiltIn: true,
      executions: [
        { displayName: 'Cookie', subflow: null },
        { displayName: 'Kerberos', subflow: null },
        { displayName: 'Identity Provider Redirector', subflow: null },
        { displayName: 'forms', subflow: { alias: 'forms', isTopLevel: false } },
      ],
    });
  });

  it('are created, renamed, filled, put in order and deleted', async () => {
    const made = (await change('authenticationFlowCreate', `realm: "${realm}", alias: "mine"`, aFlow))
      .authenticationFlow;
    const id = made?.id ?? '';
    const add = (provider: string, more = '') =>
      change('flowExecutionCreate', `authenticationFlow: "${id}", provider: "${provider}" ${more}`, aStep);
    const cookie = (await add('auth-cookie', 'requirement: ALTERNATIVE')).flowExecution;
    expect(cookie).toMatchObject({ priority: 0, requirement: 'ALTERNATIVE' });
    expect((await add('auth-cookie', 'requirement: CONDITIONAL')).userErrors).toEqual(
      refusal('INVALID', 'requirement'),
    );
    expect((await add('nobody')).userErrors).toEqual(refusal('INVALID', 'provider'));
    const below = await change(
      'authenticationFlowCreateSubflow',
      `id: "${id}", alias: "below"`,
      `${aStep} subflow { id alias }`,
    );
    expect(below).toMatchObject({ userErrors: [], subflow: { alias: 'below' }, flowExecution: { priority: 1 } });
    const raised = await change('flowExecutionRaise', `id: "${below.flowExecution?.id}"`, aStep);
    expect(raised.flowExecution).toMatchObject({ priority: 0 });
    const update = (requirement: string) =>
      change('flowExecutionUpdate', `id: "${cookie?.id}", requirement: ${requirement}`, aStep);
    expect((await update('REQUIRED')).flowExecution).toMatchObject({ requirement: 'REQUIRED', priority: 1 });
    expect((await update('CONDITIONAL')).userErrors).toEqual(refusal('INVALID', 'requirement'));
    const renamed = await change('authenticationFlowUpdate', `id: "${id}", alias: "ours"`, aFlow);
    expect(renamed.authenticationFlow?.alias).toBe('ours');
    expect(await flowNamed('ours', 'executions { displayName } description')).toEqual({
      executions: [{ displayName: 'below' }, { displayName: 'Cookie' }],
      description: null,
    });
    const gone = await change('flowExecutionDelete', `id: "${below.flowExecution?.id}"`, 'deletedId');
    expect(gone.deletedId).toBe(below.flowExecution?.id);
    expect(await flowNamed('below', 'id')).toBeNull();
    expect((await change('authenticationFlowDelete', `id: "${id}"`, 'deletedId')).deletedId).toBe(id);
    expect(await flowNamed('ours', 'id')).toBeNull();
  });

  it('are refused to who saw another version, whichever of its steps was changed', async () => {
    const flow = (await change('authenticationFlowCreate', `realm: "${realm}", alias: "versions"`, aFlow))
      .authenticationFlow;
    const add = (version: number) =>
      change(
        'flowExecutionCreate',
        `authenticationFlow: "${flow?.id}", provider: "auth-cookie", expectedVersion: ${version}`,
        aStep,
      );
    expect((await add(0)).userErrors).toEqual([]);
    expect((await add(0)).userErrors).toEqual(refusal('STALE', 'expectedVersion'));
    expect((await add(1)).userErrors).toEqual([]);
  });

  it('are copied with configurations of their own', async () => {
    const { id } = (await flowNamed('first broker login', 'id')) as { id: string };
    const copied = await change('authenticationFlowCopy', `id: "${id}", alias: "mine first"`, aFlow);
    expect(copied.userErrors).toEqual([]);
    const config = 'executions { config { id alias settings { name value } } }';
    const of = async (alias: string) =>
      ((await flowNamed(alias, config)) as { executions: { config: { id: string; alias: string } | null }[] })
        .executions[0]?.config;
    const [before, after] = [await of('first broker login'), await of('mine first')];
    expect(after).toEqual({ ...before, id: expect.any(String), alias: 'mine first review profile config' });
    expect(after?.id).not.toBe(before?.id);
    const settings = 'settings: [{ name: "update.profile.on.first.login", value: "off" }]';
    const changed = await change('authenticatorConfigUpdate', `id: "${after?.id}", ${settings}`, aConfig);
    expect(changed.authenticatorConfig?.settings).toEqual([{ name: 'update.profile.on.first.login', value: 'off' }]);
    expect(await of('first broker login')).toEqual(before);
  });

  it('are not deleted under the clients that use them', async () => {
    const flow = (await change('authenticationFlowCreate', `realm: "${realm}", alias: "of shop"`, aFlow))
      .authenticationFlow;
    const browser = Buffer.from(flow?.id ?? '', 'base64')
      .toString()
      .split(':')[1];
    const [client] = (await admin.send('GET', '/tree/clients?clientId=shop')).body;
    const path = `/tree/clients/${client.id}`;
    await admin.send('PUT', path, { ...client, authenticationFlowBindingOverrides: { browser } });
    expect(await flowNamed('of shop', 'clients { clientId } uses')).toEqual({
      clients: [{ clientId: 'shop' }],
      uses: [],
    });
    const remove = () => change('authenticationFlowDelete', `id: "${flow?.id}"`, 'deletedId');
    expect((await remove()).userErrors).toEqual(refusal('IN_USE', null));
    await admin.send('PUT', path, { ...client, authenticationFlowBindingOverrides: { browser: '' } });
    expect((await remove()).userErrors).toEqual([]);
  });

  it('tell which identity providers lead into them', async () => {
    await admin.send('POST', '/tree/identity-provider/instances', {
      alias: 'partner',
      providerId: 'github',
      config: { clientId: 'us' },
    });
    const fields = 'identityProviders { alias displayName type mappers { name } } clients { name }';
    expect(await flowNamed('first broker login', fields)).toEqual({
      identityProviders: [{ alias: 'partner', displayName: null, type: 'GITHUB', mappers: [] }],
      clients: [],
    });
    expect(await flowNamed('browser', fields)).toEqual({ identityProviders: [], clients: [] });
  });

  it('keep secrets of their configurations', async () => {
    const made = await change('authenticationFlowCreate', `realm: "${realm}", alias: "form", kind: FORM`, aFlow);
    const step = await change(
      'flowExecutionCreate',
      `authenticationFlow: "${made.authenticationFlow?.id}", provider: "registration-recaptcha-action"`,
      aStep,
    );
    const input = `flowExecution: "${step.flowExecution?.id}", alias: "c", settings: [{ name: "secret", value: "hush" }]`;
    const { authenticatorConfig: config } = await change('authenticatorConfigCreate', input, aConfig);
    expect(config?.settings).toEqual([{ name: 'secret', value: null }]);
    const gone = await change('authenticatorConfigDelete', `id: "${config?.id}"`, 'deletedId');
    expect(gone.deletedId).toBe(config?.id);
  });
});

describe('required actions', () => {
  const list = async () =>
    (
      await ask<{ realm: { requiredActions: { edges: { node: { id: string; alias: string } }[] } } }>(
        '{ realm(name: "tree") { requiredActions { edges { node { id alias } } } } }',
      )
    ).realm.requiredActions.edges.map(({ node }) => node);

  it('are registered, changed, put in order and taken out', async () => {
    const input = `realm: "${realm}", providerId: "webauthn-register", name: "Key"`;
    const { requiredAction: made } = await change('requiredActionCreate', input, anAction);
    expect(made).toMatchObject({ alias: 'webauthn-register', priority: 1001 });
    expect((await change('requiredActionCreate', input, anAction)).userErrors).toEqual(
      refusal('NAME_TAKEN', 'providerId'),
    );
    const id = `id: "${made?.id}"`;
    expect((await list()).at(-1)?.alias).toBe('webauthn-register');
    await change('requiredActionRaise', id, anAction);
    expect((await list()).at(-2)?.alias).toBe('webauthn-register');
    await change('requiredActionLower', id, anAction);
    expect((await list()).at(-1)?.alias).toBe('webauthn-register');
    const renamed = await change('requiredActionUpdate', `${id}, alias: "key", isDefault: true`, anAction);
    expect(renamed.requiredAction?.alias).toBe('key');
    expect((await admin.send('GET', '/tree/authentication/required-actions/key')).body).toMatchObject({
      name: 'Key',
      enabled: true,
      defaultAction: true,
    });
    expect((await change('requiredActionDelete', id, 'deletedId')).deletedId).toBe(made?.id);
    const query = '{ realm(name: "tree") { unregisteredRequiredActions { providerId } } }';
    const { realm: left } = await ask<{ realm: { unregisteredRequiredActions: { providerId: string }[] } }>(query);
    expect(left.unregisteredRequiredActions.map(({ providerId }) => providerId)).toContain('webauthn-register');
  });

  it('keep an order when many are moved at once', async () => {
    const before = await list();
    await Promise.all(
      before.map(({ id }, index) =>
        change(index % 2 ? 'requiredActionRaise' : 'requiredActionLower', `id: "${id}"`, anAction),
      ),
    );
    const after = await list();
    expect(after.map(({ alias }) => alias).sort()).toEqual(before.map(({ alias }) => alias).sort());
  });
});
