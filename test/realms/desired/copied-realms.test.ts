import { beforeAll, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// What random writes have found: the export of a realm changes nothing of it, and nothing of the realm that was made of it.
const realm = 'copied';
const long = 'c'.repeat(250);
let admin: Caller;

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    roles: { realm: [{ name: 'clerk' }] },
    groups: [{ name: 'staff' }],
    clients: [
      { clientId: 'lost', serviceAccountsEnabled: true, secret: 's' },
      { clientId: 'az', serviceAccountsEnabled: true, authorizationServicesEnabled: true, secret: 's' },
      { clientId: long, serviceAccountsEnabled: true, secret: 's' },
      { clientId: 'un\u200bseen', serviceAccountsEnabled: true, secret: 's' },
    ],
  }));
});

const send = (method: string, path: string, body?: unknown) => admin.send(method, `/${realm}${path}`, body);
const clientNamed = async (clientId: string) => (await send('GET', `/clients?clientId=${clientId}`)).body[0].id;

async function requireSame(): Promise<void> {
  const { id: _, ...file } = (await send('GET', '/export?users=true&secrets=true')).body;
  for (const desired of [file, (await send('GET', '/export?users=true')).body]) {
    const { status, body } = await send('POST', '/plan', { desired, modes: { users: 'FULL' } });
    expect([status, body.changes ?? body]).toEqual([200, []]);
  }
  // IDs of the copy are random: each time, their order is another one
  for (const name of ['one', 'two', 'three']) {
    expect((await admin.send('POST', '/', { realm: name, enabled: true })).status).toBe(201);
    const input = { desired: { ...file, realm: name }, modes: { users: 'FULL' }, allowDeletes: 1000 };
    const applied = await admin.send('POST', `/${name}/apply`, input);
    expect([applied.status, applied.body.errorMessage]).toEqual([200, undefined]);
    const again = await admin.send('POST', `/${name}/plan`, input);
    expect([again.status, again.body.changes ?? again.body]).toEqual([200, []]);
    expect((await admin.send('DELETE', `/${name}`)).status).toBe(204);
  }
}

it('with fine-grained permissions of roles and groups', async () => {
  const [group] = (await send('GET', '/groups')).body;
  for (const path of ['/roles/clerk', `/groups/${group.id}`, `/clients/${await clientNamed('az')}`]) {
    const { status } = await send('PUT', `${path}/management/permissions`, { enabled: true });
    expect([path, status]).toEqual([path, 200]);
  }
  await requireSame();
});

it('with clients that have lost their service account, or its role', async () => {
  const account = (await send('GET', `/clients/${await clientNamed('lost')}/service-account-user`)).body;
  expect((await send('DELETE', `/users/${account.id}`)).status).toBe(204);
  expect((await send('DELETE', `/clients/${await clientNamed('az')}/roles/uma_protection`)).status).toBe(204);
  await requireSame();
});

it('with a client that is called by its ID, and its service account and role', async () => {
  const made = await send('POST', '/clients', { serviceAccountsEnabled: true, secret: 's' });
  const id = made.headers.get('location')?.split('/').at(-1);
  expect((await send('GET', `/clients/${id}`)).body.clientId).toBe(id);
  expect((await send('POST', `/clients/${id}/roles`, { name: 'own' })).status).toBe(201);
  await requireSame();
});

it('with authenticator configurations of one name, which looks like a mask', async () => {
  const flow = { alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false };
  expect((await send('POST', '/authentication/flows', flow)).status).toBe(201);
  const provider = 'identity-provider-redirector';
  for (const _ of ['one', 'two']) {
    const added = await send('POST', '/authentication/flows/own/executions/execution', { provider });
    expect(added.status).toBe(201);
  }
  const [one, two] = (await send('GET', '/authentication/flows/own/executions')).body;
  for (const [step, value] of [
    [one, 'a'],
    [two, 'b'],
  ]) {
    const config = { alias: '**********', config: { defaultProvider: value } };
    expect((await send('POST', `/authentication/executions/${step.id}/config`, config)).status).toBe(201);
  }
  await requireSame();
});

it('with a flow that was renamed to an alias of addresses', async () => {
  const flow = { alias: 'plain', providerId: 'basic-flow', topLevel: true, builtIn: false };
  const made = await send('POST', '/authentication/flows', flow);
  const id = made.headers.get('location')?.split('/').at(-1);
  const renamed = await send('PUT', `/authentication/flows/${id}`, { ...flow, alias: 'a/b?c=[d]' });
  expect([made.status, renamed.status]).toEqual([201, 202]);
  await requireSame();
});

it('with clients whose names look the same, and their service accounts', async () => {
  for (const clientId of ['fi', '\ufb01', 'cop', '\u0441\u043e\u0440']) {
    const made = await send('POST', '/clients', { clientId, serviceAccountsEnabled: true, secret: 's' });
    expect([clientId, made.status]).toEqual([clientId, 201]);
  }
  await requireSame();
  // a file that only some of them are in finds each by its own name
  const users = [{ username: 'service-account-\ufb01', serviceAccountClientId: '\ufb01', firstName: 'Second' }];
  const { status, body } = await send('POST', '/plan', { desired: { users } });
  expect([status, body.changes?.map(({ key }: { key: string }) => key)]).toEqual([200, ['service-account-\ufb01']]);
  const imported = await send('POST', '/partialImport', { ifResourceExists: 'SKIP', users });
  expect([imported.status, imported.body.skipped]).toEqual([200, 1]);
});

it('with a protocol mapper that has no name, and the last priority of required actions', async () => {
  const protocolMappers = [
    { name: '', protocol: 'openid-connect', protocolMapper: 'oidc-usermodel-attribute-mapper', config: {} },
  ];
  expect((await send('POST', '/clients', { clientId: 'nameless', protocolMappers })).status).toBe(201);
  const action = (await send('GET', '/authentication/required-actions/UPDATE_PROFILE')).body;
  const last = { ...action, priority: 2 ** 31 - 1 };
  expect((await send('PUT', '/authentication/required-actions/UPDATE_PROFILE', last)).status).toBe(204);
  const registered = { providerId: 'webauthn-register', name: 'Register' };
  expect((await send('POST', '/authentication/register-required-action', registered)).status).toBe(204);
  await requireSame();
});

it('with an identity provider whose usual flow has another name', async () => {
  const provider = { alias: 'partner', providerId: 'saml', config: {} };
  const flows = (await send('GET', '/authentication/flows')).body as { id: string; alias: string }[];
  const flow = flows.find(({ alias }) => alias === 'first broker login');
  const renamed = await send('PUT', `/authentication/flows/${flow?.id}`, { ...flow, alias: 'first login' });
  expect([renamed.status, (await send('POST', '/identity-provider/instances', provider)).status]).toEqual([202, 201]);
  await requireSame();
});
