import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Caller, startWithRealm } from '../../support/fixture.js';

// A realm that refuses changes by hand of what its file describes refuses to delete what that is in, and changes everything else as ever.
const realm = 'contents';
let admin: Caller;
let made: Record<string, string>;

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  admin.send(method, `/admin/realms/${realm}${path}`, body);
const read = async (path: string) => (await send('GET', path)).body;
const create = async (path: string, body: object): Promise<string> => {
  const { status, headers, body: answer } = await send('POST', path, body);
  expect([path, status, answer.errorMessage]).toEqual([path, 201, undefined]);
  return headers.get('location')?.split('/').at(-1) ?? '';
};

const directory = { vendor: ['other'], enabled: ['false'], usersDn: ['ou=people'] };
const storage = 'org.keycloak.storage.UserStorageProvider';
const mapperType = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';
const attributeMapper = {
  ...{ name: 'mapped', providerId: 'user-attribute-ldap-mapper' },
  config: { 'ldap.attribute': ['sn'], 'user.model.attribute': ['lastName'] },
};
const addresses = { authorizationUrl: 'https://idp.example/a', tokenUrl: 'https://idp.example/t' };
const providerMapper = {
  ...{ name: 'mapped', identityProviderAlias: 'partner', identityProviderMapper: 'hardcoded-attribute-idp-mapper' },
  config: { attribute: 'a', 'attribute.value': 'b' },
};

/** Makes a realm that refuses changes by hand, and everything in it by hand. */
async function makeRealm(): Promise<void> {
  if (admin) await admin.send('DELETE', `/${realm}/managed`);
  if (admin) await admin.send('DELETE', `/${realm}`);
  const input = {
    ...{ realm, enabled: true, attributes: { managedChanges: 'refuse' } },
    clients: [
      { clientId: 'shop', fullScopeAllowed: false },
      { clientId: 'robot', serviceAccountsEnabled: true, secret: 's' },
    ],
    roles: { realm: [{ name: 'clerk' }, { name: 'buyer' }], client: { shop: [{ name: 'seller' }] } },
    groups: [{ name: 'staff', subGroups: [{ name: 'team', subGroups: [{ name: 'night' }] }] }],
    clientScopes: [{ name: 'wide', protocol: 'openid-connect' }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: addresses }],
  };
  if (admin) expect((await admin.send('POST', '/', input)).status).toBe(201);
  else ({ admin } = await startWithRealm(input));
  const of = async (path: string) => (await read(path))[0].id;
  const [shop, robot] = [await of('/clients?clientId=shop'), await of('/clients?clientId=robot')];
  const [staff] = await read('/groups');
  const scopes = (await read('/client-scopes')) as { id: string; name: string }[];
  const people = await create('/components', {
    ...{ name: 'people', providerId: 'ldap', providerType: storage, config: directory },
  });
  const flow = await create('/authentication/flows', {
    ...{ alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false },
  });
  for (const [above, alias] of [
    ['own', 'middle'],
    ['middle', 'inner'],
  ]) {
    await create(`/authentication/flows/${above}/executions/flow`, { alias, type: 'basic-flow', provider: '' });
  }
  await create('/authentication/flows/inner/executions/execution', { provider: 'identity-provider-redirector' });
  const steps = (await read('/authentication/flows/own/executions')) as { id: string; providerId?: string }[];
  const step = steps.find(({ providerId }) => providerId === 'identity-provider-redirector')?.id ?? '';
  await create(`/authentication/executions/${step}/config`, { alias: 'settings', config: { defaultProvider: 'x' } });
  made = {
    ...{ shop, robot, staff: staff.id, team: staff.subGroups[0].id, people, flow, step, middle: steps[0]?.id ?? '' },
    wide: scopes.find(({ name }) => name === 'wide')?.id ?? '',
  };
}

/** What describes only what is in an object, what is refused then, and what is not. */
interface Case {
  file: () => object | Promise<object>;
  refused: () => string[];
  /** another change of the objects that cannot be deleted */
  allowed: () => [method: string, path: string, body?: unknown];
}

const role = (name: string) => read(`/roles/${name}`);
const exported = async (list: string) => (await read('/export'))[list] as { alias: string }[];
const described: Readonly<Record<string, Case>> = {
  'roles of a client': {
    file: () => ({ roles: { client: { shop: [{ name: 'seller', description: 'Sells' }] } } }),
    refused: () => [`/clients/${made.shop}`],
    allowed: () => ['PUT', `/clients/${made.shop}`, { description: 'By hand' }],
  },
  'the service account of a client': {
    file: () => ({
      users: [{ username: 'service-account-robot', serviceAccountClientId: 'robot', realmRoles: ['clerk'] }],
    }),
    refused: () => [`/clients/${made.robot}`],
    allowed: () => ['PUT', `/clients/${made.robot}`, { description: 'By hand' }],
  },
  'scope mappings of a client': {
    file: () => ({ scopeMappings: [{ client: 'shop', roles: ['clerk'] }] }),
    refused: () => [`/clients/${made.shop}`, '/roles/clerk', `/clients/${made.shop}/scope-mappings/realm`],
    allowed: () => ['DELETE', '/roles/buyer'],
  },
  'scope mappings of roles of a client': {
    file: () => ({ clientScopeMappings: { shop: [{ clientScope: 'wide', roles: ['seller'] }] } }),
    refused: () => [`/client-scopes/${made.wide}`, `/clients/${made.shop}`, `/clients/${made.shop}/roles/seller`],
    allowed: () => ['DELETE', '/roles/clerk'],
  },
  'a group beside others': {
    file: () => ({ groups: [{ name: 'other', subGroups: [{ name: 'own' }] }] }),
    refused: () => [],
    allowed: () => ['DELETE', `/groups/${made.staff}`],
  },
  'a mapper of an identity provider': {
    file: () => ({ identityProviderMappers: [providerMapper] }),
    refused: () => ['/identity-provider/instances/partner'],
    allowed: () => ['PUT', '/identity-provider/instances/partner', { ...provider(), displayName: 'By hand' }],
  },
  'a subflow': {
    file: async () => ({
      authenticationFlows: (await exported('authenticationFlows')).filter(({ alias }) => alias === 'inner'),
    }),
    refused: () => [`/authentication/flows/${made.flow}`, `/authentication/executions/${made.middle}`],
    allowed: () => ['PUT', `/authentication/flows/${made.flow}`, { ...flowOf('own'), description: 'By hand' }],
  },
  'the configuration of a step': {
    file: async () => ({ authenticatorConfig: await exported('authenticatorConfig') }),
    refused: () => [
      `/authentication/flows/${made.flow}`,
      `/authentication/executions/${made.middle}`,
      `/authentication/executions/${made.step}`,
    ],
    allowed: () => ['PUT', `/authentication/flows/${made.flow}`, { ...flowOf('own'), description: 'By hand' }],
  },
};
const provider = () => ({ alias: 'partner', providerId: 'oidc', config: addresses });
const flowOf = (alias: string) => ({ alias, providerId: 'basic-flow', topLevel: true, builtIn: false });
const modes = Object.fromEntries(
  [
    ...['clientRoles', 'scopeMappings', 'groups', 'authenticationFlows', 'authenticatorConfig', 'users'],
    ...['identityProviderMappers', 'components'],
  ].map((kind) => [kind, 'KEEP']),
);

const follow = async (desired: object): Promise<void> => {
  const { status, body } = await send('POST', '/apply', { desired, modes, source: 'https://git.example/r' });
  expect([status, body.errorMessage]).toEqual([200, undefined]);
};

describe.each(Object.keys(described))('a file that describes %s', (name) => {
  const { file, refused, allowed } = described[name] as Case;
  beforeAll(makeRealm);

  it('keeps what that is in from being deleted by hand, and nothing else', async () => {
    await follow(await file());
    for (const path of refused()) {
      const body = path.endsWith('/scope-mappings/realm') ? [await role('clerk')] : undefined;
      const answer = await send('DELETE', path, body);
      expect([path, answer.status, answer.body.errorMessage]).toEqual([path, 409, expect.stringContaining('managed')]);
    }
    const [method, path, body] = allowed();
    const answer = await send(method, path, body);
    expect([path, answer.status < 300, answer.body?.errorMessage]).toEqual([path, true, undefined]);
    // who ends that the realm follows the file may delete it all
    expect((await send('DELETE', '/managed')).status).toBe(204);
    const [first] = refused();
    if (first && method !== 'DELETE') expect((await send('DELETE', first)).status).toBe(204);
  });
});

describe('a file that describes a mapper of a directory', () => {
  beforeAll(makeRealm);

  it('keeps the directory, which has it, and an overwriting import from taking clients whose roles it has', async () => {
    const people = { name: 'people', providerId: 'ldap', subComponents: { [mapperType]: [attributeMapper] } };
    await follow({
      components: { [storage]: [people] },
      roles: { client: { shop: [{ name: 'seller' }] } },
    });
    expect((await send('DELETE', `/components/${made.people}`)).status).toBe(409);
    const clients = [{ clientId: 'shop', description: 'Imported' }];
    const over = await send('POST', '/partialImport', { ifResourceExists: 'OVERWRITE', clients });
    expect([over.status, over.body.errorMessage]).toEqual([409, expect.stringContaining('managed')]);
    expect((await send('POST', '/partialImport', { ifResourceExists: 'SKIP', clients })).status).toBe(200);
  });
});
