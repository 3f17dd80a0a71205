// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// Realm files of versions 4 to 26: what this version does not know is left out and named.
let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
});

/** Parts of files of other versions, with the fields of each that this version does not know. */
const parts: Record<string, { file: object; ignored: string[] }> = {
  organizations: {
    file: {
      organizationsEnabled: true,
      organizations: [{ id: 'o', name: 'acme', alias: 'acme', domains: [{ name: 'acme.example', verified: true }] }],
    },
    ignored: ['organizations', 'organizationsEnabled'],
  },
  'switches of newer versions': {
    file: {
      bruteForceStrategy: 'MULTIPLE',
      maxTemporaryLockouts: 3,
      verifiableCredentialsEnabled: true,
      adminPermissionsEnabled: true,
      firstBrokerLoginFlow: 'first broker login',
      webAuthnPolicyPasswordlessPasskeysEnabled: true,
      webAuthnPolicyPasswordlessExtraOrigins: [],
      otpPolicyCodeReusable: false,
    },
    ignored: [
      'adminPermissionsEnabled',
      'bruteForceStrategy',
      'firstBrokerLoginFlow',
      'maxTemporaryLockouts',
      'otpPolicyCodeReusable',
      'verifiableCredentialsEnabled',
      'webAuthnPolicyPasswordlessExtraOrigins',
      'webAuthnPolicyPasswordlessPasskeysEnabled',
    ],
  },
  'an identity provider': {
    file: { identityProviders: [{ alias: 'op', providerId: 'oidc', hideOnLogin: true, organizationId: 'o' }] },
    ignored: ['identityProviders.0.organizationId'],
  },
  'a client and its attributes': {
    file: { clients: [{ clientId: 'app', type: 'oidc', attributes: { 'post.logout.redirect.uris': '+' } }] },
    ignored: ['clients.0.type'],
  },
  'user profile': {
    file: {
      components: {
        'org.keycloak.userprofile.UserProfileProvider': [
          {
            id: '3a1f6f5e-0000-4000-8000-000000000001',
            providerId: 'declarative-user-profile',
            subComponents: {},
            config: { 'kc.user.profile.config': ['{"attributes":[]}'] },
          },
        ],
      },
    },
    ignored: ['components.org.keycloak.userprofile.UserProfileProvider.0.providerId'],
  },
  'texts, profiles and required credentials': {
    file: {
      localizationTexts: { de: { hello: 'Hallo' } },
      clientProfiles: { profiles: [{ name: 'mine', description: '', executors: [], colour: 'red' }] },
      requiredCredentials: ['password'],
      scopeMappings: [{ clientScope: 'email', roles: ['clerk'] }],
      roles: { realm: [{ name: 'clerk' }] },
    },
    ignored: ['clientProfiles.profiles.0.colour'],
  },
  'users and groups': {
    file: {
      groups: [{ name: 'staff', description: 'D', parentId: 'p', subGroupCount: 0 }],
      users: [
        { username: 'ann', enabled: true, userProfileMetadata: {}, credentials: [{ type: 'password', value: 'pw' }] },
      ],
    },
    ignored: ['groups.0.description', 'users.0.userProfileMetadata'],
  },
  'credentials in the old form': {
    file: {
      users: [
        {
          username: 'bob',
          credentials: [
            {
              type: 'password',
              algorithm: 'pbkdf2-sha256',
              hashIterations: 1,
              hashedSaltedValue: 'c2VjcmV0',
              salt: 'c2FsdA==',
              config: { algorithm: ['a'] },
            },
          ],
        },
      ],
    },
    ignored: [],
  },
};

const headerOf = ({ headers }: { headers: Headers }) =>
  (headers.get('x-ignored-fields') ?? '')
    .replace(/^\d+: /, '')
    .split(', ')
    .filter(Boolean)
    .sort();

describe('a realm file of another version', () => {
  it.each(Object.entries(parts))('is imported: %s', async (name, { file, ignored }) => {
    const realm = name.replaceAll(/[^a-z]/g, '-');
    const answer = await admin.send('POST', '/', { realm, enabled: true, ...file });
    expect([answer.status, answer.body]).toEqual([201, '']);
    expect(headerOf(answer).filter((path) => !path.endsWith('.config'))).toEqual(ignored);
    expect((await admin.send('GET', `/${realm}`)).status).toBe(200);
  });

  it('names a bounded number of fields in a bounded header, by characters that a header may have', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`new\nfield ${at}`, at]));
    const answer = await admin.send('POST', '/', { realm: 'many', ...many });
    expect(answer.status).toBe(201);
    const header = answer.headers.get('x-ignored-fields') ?? '';
    expect(header).toMatch(/^5000: new\?field\?0, /);
    expect(header.length).toBeLessThan(2100);
  });

  it('is refused for what it cannot mean: known fields with bad values', async () => {
    const answer = await admin.send('POST', '/', { realm: 'bad', colour: 'red', accessTokenLifespan: 'soon' });
    expect(answer).toMatchObject({ status: 400 });
    expect(JSON.stringify(answer.body)).toContain('accessTokenLifespan');
  });
});
