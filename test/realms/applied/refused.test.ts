import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Caller } from '../../support/fixture.js';
import { startWithRealm } from '../../support/fixture.js';

// A revert makes nothing of the realm that operations on single objects refuse: with what was changed since, former values can break a rule.
const realm = 'unreturned';
const storage = 'org.keycloak.storage.UserStorageProvider';
let admin: Caller;

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  admin.send(method, `/admin/realms/${realm}${path}`, body);
const read = async (path: string) => (await send('GET', path)).body;

const directory = (url: string, bindCredential: string) => ({
  vendor: ['other'],
  enabled: ['false'],
  connectionUrl: [url],
  authType: ['simple'],
  bindDn: ['cn=admin'],
  bindCredential: [bindCredential],
  usersDn: ['ou=people'],
  usernameLDAPAttribute: ['uid'],
  rdnLDAPAttribute: ['uid'],
  uuidLDAPAttribute: ['entryUUID'],
  userObjectClasses: ['person'],
  editMode: ['READ_ONLY'],
});
const mail = (host: string, password: string) => ({
  host,
  from: 'a@shop.example',
  user: 'shop',
  auth: 'true',
  password,
});
const provider = (tokenUrl: string, clientSecret: string) => ({
  ...{ authorizationUrl: 'https://idp.example/a', tokenUrl, clientId: 'us', clientSecret },
});
const policies = (uses: Readonly<Record<string, readonly string[]>>) => ({
  clients: [
    {
      clientId: 'owner',
      authorizationSettings: {
        policies: [
          { name: 'leaf', type: 'regex', config: { targetClaim: 'a', pattern: 'b' } },
          ...Object.entries(uses).map(([name, applied]) => ({
            name,
            type: 'aggregate',
            config: { applyPolicies: JSON.stringify(applied) },
          })),
        ],
      },
    },
  ],
});
const flow = (alias: string, topLevel: boolean, subflows: readonly string[]) => ({
  ...{ alias, topLevel, providerId: 'basic-flow', builtIn: false },
  authenticationExecutions: subflows.map((flowAlias) => ({
    ...{ flowAlias, authenticatorFlow: true, requirement: 'REQUIRED' },
  })),
});

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    smtpServer: mail('mail.example', 'first'),
    clients: [
      { clientId: 'owner', serviceAccountsEnabled: true, authorizationServicesEnabled: true },
      { clientId: 'pairwise', name: 'First', redirectUris: ['https://a.example/*', 'https://b.example/*'] },
    ],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: provider('https://idp.example/t', 'first') }],
    components: {
      [storage]: [{ name: 'people', providerId: 'ldap', config: directory('ldap://ldap.example', 'first') }],
    },
  }));
});

const modes = { clients: 'KEEP', components: 'KEEP', identityProviders: 'KEEP', authenticationFlows: 'KEEP' };

/** Applies a file, and returns the id of the apply. */
async function applied(desired: object, more: object = {}): Promise<string> {
  const { status, body } = await send('POST', '/apply', { desired, modes, ...more });
  expect([status, body.errorMessage ?? '']).toEqual([200, '']);
  return (await read('/applies?max=1'))[0].id;
}

/** Reverts an apply as its plan says, and returns the warnings; afterwards the realm can be planned on. */
async function reverted(id: string): Promise<string[]> {
  const plan = await read(`/applies/${id}/revert-plan`);
  const { status, body } = await send('POST', `/applies/${id}/revert`, {
    expectedDigest: plan.digest,
    allowDeletes: plan.summary?.delete,
  });
  expect([status, body.errorMessage ?? '']).toEqual([200, '']);
  const whole = await send('POST', '/plan', { desired: await read('/export?secrets=true') });
  expect([whole.status, whole.body.changes ?? whole.body]).toEqual([200, []]);
  return plan.warnings;
}

const isKept = (field: string, object: string): string =>
  `\`${field}\` of ${object} does not get back what it was: with what was changed since, that is refused.`;

interface Holder {
  file: (place: string, secret: string) => object;
  /** changes the place by hand, which sends the secret again */
  byHand: (place: string, secret: string) => Promise<Answer>;
  now: () => Promise<unknown[]>;
  /** how warnings name the object */
  object: string;
}

const component = async () => (await read(`/components?type=${storage}`))[0];
const exported = () => read('/export?secrets=true');

const holders: Readonly<Record<string, Holder>> = {
  'of a directory': {
    file: (host, secret) => ({
      components: { [storage]: [{ name: 'people', providerId: 'ldap', config: directory(`ldap://${host}`, secret) }] },
    }),
    byHand: async (host, secret) => {
      const now = await component();
      return send('PUT', `/components/${now.id}`, { ...now, config: directory(`ldap://${host}`, secret) });
    },
    now: async () => {
      const { config } = (await exported()).components[storage][0];
      return [new URL(config.connectionUrl[0]).host, config.bindCredential[0]];
    },
    object: 'COMPONENT "people"',
  },
  'of an identity provider': {
    file: (host, secret) => ({
      identityProviders: [{ alias: 'partner', providerId: 'oidc', config: provider(`https://${host}/t`, secret) }],
    }),
    byHand: async (host, secret) => {
      const now = await read('/identity-provider/instances/partner');
      const config = provider(`https://${host}/t`, secret);
      return send('PUT', '/identity-provider/instances/partner', { ...now, config });
    },
    now: async () => {
      const { config } = (await exported()).identityProviders[0];
      return [new URL(config.tokenUrl).host, config.clientSecret];
    },
    object: 'IDENTITY_PROVIDER "partner"',
  },
  'of the mail server': {
    file: (host, secret) => ({ smtpServer: mail(host, secret) }),
    byHand: async (host, secret) => send('PUT', '', { smtpServer: mail(host, secret) }),
    now: async () => {
      const { smtpServer } = await exported();
      return [smtpServer.host, smtpServer.password];
    },
    object: `REALM "${realm}"`,
  },
};

describe.each(Object.entries(holders))('the stored secret %s', (_whose, { file, byHand, now, object }) => {
  it('comes back with the place that it went to', async () => {
    await applied(file('first.example', 'first'));
    const id = await applied(file('other.example', 'second'));
    expect(await reverted(id)).toEqual([]);
    expect(await now()).toEqual(['first.example', 'first']);
  });

  it('comes back alone if it went to the same place', async () => {
    await applied(file('first.example', 'first'));
    const id = await applied(file('first.example', 'second'));
    expect(await reverted(id)).toEqual([]);
    expect(await now()).toEqual(['first.example', 'first']);
  });

  it.each([
    ['the place and the secret', 'other.example', 'second'],
    ['the secret', 'first.example', 'second'],
  ])('does not come back after %s was applied, and another place set by hand', async (_what, host, secret) => {
    await applied(file('first.example', 'first'));
    const id = await applied(file(host, secret));
    expect((await byHand('evil.example', secret)).status).toBe(204);
    expect((await reverted(id)).join()).toContain(`${object} does not get back what it was`);
    expect(await now()).toEqual(['evil.example', secret]);
  });

  it('that was set by hand does not go to the former place', async () => {
    await applied(file('first.example', 'first'));
    const id = await applied(file('other.example', 'first'));
    expect((await byHand('other.example', 'third')).status).toBe(204);
    expect((await reverted(id)).join()).toContain(`${object} does not get back what it was`);
    expect(await now()).toEqual(['other.example', 'third']);
  });
});

describe('what only fits what was there before', () => {
  it('policies do not apply themselves', async () => {
    await applied(policies({ one: ['two'], two: ['leaf'] }));
    const id = await applied(policies({ one: ['leaf'], two: ['leaf'] }));
    const [{ id: client }] = await read('/clients?clientId=owner');
    const at = `/clients/${client}/authz/resource-server/policy`;
    const [one, two] = await Promise.all(['one', 'two'].map((name) => read(`${at}/search?name=${name}`)));
    const changed = { id: two.id, name: 'two', type: 'aggregate', policies: [one.id] };
    expect((await send('PUT', `${at}/aggregate/${two.id}`, changed)).status).toBe(201);
    expect(await reverted(id)).toContain(isKept('authorizationSettings.policies.one.policies.two', 'CLIENT "owner"'));
  });

  it('flows do not contain themselves', async () => {
    const flows = (outer: string[], inner: string[], innermost: string[]) => ({
      authenticationFlows: [
        flow('outer', true, outer),
        flow('inner', false, inner),
        flow('innermost', false, innermost),
      ],
    });
    await applied(flows(['inner'], ['innermost'], []));
    const id = await applied(flows(['inner', 'innermost'], [], []));
    await applied(flows(['inner', 'innermost'], [], ['inner']));
    expect((await reverted(id)).join()).toContain('AUTH_FLOW "inner" does not get back what it was');
  });

  it('a client with pairwise subjects has redirect URIs of one host; the rest of it comes back', async () => {
    const client = { clientId: 'pairwise', name: 'Second', redirectUris: ['https://a.example/*'] };
    const id = await applied({ clients: [client] });
    const [{ id: uuid }] = await read('/clients?clientId=pairwise');
    const mapper = { name: 'sub', protocol: 'openid-connect', protocolMapper: 'oidc-sha256-pairwise-sub-mapper' };
    expect((await send('POST', `/clients/${uuid}/protocol-mappers/models`, mapper)).status).toBe(201);
    expect(await reverted(id)).toEqual([isKept('redirectUris', 'CLIENT "pairwise"')]);
    expect(await read(`/clients/${uuid}`)).toMatchObject({ name: 'First', redirectUris: ['https://a.example/*'] });
  });

  it.each([
    ['renamed', 'apex', '\u0430\u0440\u0435\u0445', { users: [{ username: 'other', renamedFrom: 'apex' }] }],
    ['deleted', 'sea', '\u0455\u0435\u0430', { users: [] }],
  ])('a user who was %s does not come back beside one who looks the same', async (what, username, twin, desired) => {
    await applied({ users: [{ username, enabled: true }] });
    const isDeletion = what === 'deleted';
    const id = await applied(desired, isDeletion ? { modes: { users: 'FULL' }, allowDeletes: 100 } : {});
    expect((await send('POST', '/users', { username: twin, enabled: true })).status).toBe(201);
    const warnings = await reverted(id);
    expect(warnings.join()).toMatch(
      isDeletion ? /^USER "sea" does not get back/ : /^`username` of USER "other" does not/,
    );
    expect(await read(`/users?username=${username}&exact=true`)).toEqual([]);
  });
});
