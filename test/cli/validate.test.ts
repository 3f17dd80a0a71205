import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

const fileOf = (text: string): string => {
  const file = join(temporaryFolder(), 'realm.yaml');
  writeFileSync(file, text);
  return file;
};

/** The lines of faults, without the path of the file. */
const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.split('realm.yaml:')[1] ?? []);

const faulty = `realm: planned
passwordPolicy: nope
browserFlow: brwser
clients:
  - { clientId: shop, redirectUris: ["javascript:alert(1)"], authenticationFlowBindingOverrides: { browser: nobody } }
roles:
  realm: [{ name: seller, composites: { realm: [sellr], client: { shp: [x] } } }]
  client: { shopp: [{ name: a }] }
groups: [{ name: staff, realmRoles: [boss], clientRoles: { shopp: [x] } }]
defaultGroups: [/stff]
identityProviders: [{ alias: google, providerId: openidconnect, firstBrokerLoginFlowAlias: nope }]
components:
  org.keycloak.keys.KeyProvider: [{ name: own, providerId: rsa-generated, config: { keySize: ["17"] } }]
authenticationFlows:
  - alias: own
    topLevel: true
    authenticationExecutions:
      - { authenticator: auth-username-password-form, requirement: REQIRED, flowAlias: below }
users:
  - { username: ann, groups: [/night], clientRoles: { none: [a] } }
`;

it('realmgate validate states all faults that a plan refuses, without the realm', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  await startWithRealm({ realm: 'planned', enabled: true }, { databaseUrl });
  const file = fileOf(faulty);

  const planned = await realmgate(['plan', file], { DATABASE_URL: databaseUrl });
  const validated = await realmgate(['validate', file], {});
  expect(linesOf(planned.errors)).toEqual([
    '2:1: `passwordPolicy`: Unsupported policy',
    '3:1: `browserFlow`: Authentication flow "brwser" not found',
    '5:38: `clients[shop].redirectUris[0]`: A redirect URI uses an illegal scheme',
    '5:100: `clients[shop].authenticationFlowBindingOverrides.browser`: Authentication flow "nobody" not found',
    '7:49: `roles.realm[seller].composites.realm[0]`: Role "sellr" not found',
    '7:67: `roles.realm[seller].composites.client.shp`: Client "shp" not found',
    '8:13: `roles.client.shopp`: Client "shopp" not found',
    '9:38: `groups[staff].realmRoles[0]`: Role "boss" not found',
    '9:60: `groups[staff].clientRoles.shopp`: Client "shopp" not found',
    '10:17: `defaultGroups[0]`: Group "/stff" not found',
    '11:38: `identityProviders[google].providerId`: Invalid identity provider id [openidconnect]',
    '11:65: `identityProviders[google].firstBrokerLoginFlowAlias`: Authentication flow "nope" not found',
    "13:75: `components[org.keycloak.keys.KeyProvider][own / rsa-generated].config`: 'Key size' should be 1024, 2048 or 4096",
    '18:55: `authenticationFlows[own].authenticationExecutions[0].requirement`: `requirement` of an execution of the flow "own" must be one of REQUIRED, CONDITIONAL, ALTERNATIVE, DISABLED',
    '18:77: `authenticationFlows[own].authenticationExecutions[0].flowAlias`: Authentication flow "below" not found',
    '20:31: `users[ann].groups[0]`: Group "/night" not found',
    '20:55: `users[ann].clientRoles.none`: Client "none" not found',
  ]);
  expect(linesOf(validated.errors)).toEqual(linesOf(planned.errors));
  expect(validated).toMatchObject({ status: 1, output: '1 file: 17 errors, 0 warnings\n' });
});

it('realmgate validate leaves to the realm what it may have beside the files', async () => {
  // the files say nothing of clients, groups, and flows; the realm may have other roles than those that they add
  const part = `$realmgate: { modes: { roles: KEEP, identityProviders: KEEP } }
browserFlow: own
roles: { realm: [{ name: clerk, composites: { realm: [seller] } }], client: { shop: [{ name: a }] } }
identityProviders: [{ alias: partner, enabled: false }]
users: [{ username: ann, groups: [/staff] }]
`;
  const { status, errors } = await realmgate(['validate', fileOf(part)], {});
  expect({ status, lines: linesOf(errors) }).toEqual({
    status: 0,
    lines: [
      '3:55: warning: `roles.realm[clerk].composites.realm[0]`: Role "seller" not found',
      '4:21: warning: `identityProviders[partner].providerId`: `providerId` is required for every identity provider, unless the realm has it already',
    ],
  });
});

it('realmgate validate states faults of types, references, and rules in one run, and no values of variables', async () => {
  const text = `enabled: maybe
displayName: \${env:NOT_SET}
passwordPolicy: nope
clients: [{ clientId: shop, defaultClientScopes: [mine], protocolMappers: [{ name: m, protocolMapper: oidc-mine }] }]
clientScopes: []
groups: []
defaultGroups: ["/\${env:GROUP}"]
authenticationFlows: [{ alias: own, authenticationExecutions: [{ authenticator: auth-usrname, requirement: REQUIRED }] }]
components: { org.keycloak.keys.KeyProvider: [{ name: own, providerId: rsa-generatedd }] }
`;
  const { status, errors } = await realmgate(['validate', fileOf(text)], { GROUP: 'hunter2' });
  expect(errors).not.toContain('hunter2');
  expect({ status, lines: linesOf(errors) }).toEqual({
    status: 1,
    lines: [
      '1:1: `enabled` must be true or false, got a text',
      expect.stringMatching(/^2:1: The environment variable NOT_SET is not set/),
      '3:1: `passwordPolicy`: Unsupported policy',
      '4:51: warning: `clients[shop].defaultClientScopes[0]` has no effect: the realm will not have the client scope "mine".',
      '4:87: warning: `clients[shop].protocolMappers[m].protocolMapper` names the mapper "oidc-mine", which does not exist: tokens lack what it adds.',
      '7:17: `defaultGroups[0]`: Group "**********" not found',
      '8:66: warning: `authenticationFlows[own].authenticationExecutions[0].authenticator` names the authenticator "auth-usrname", which does not exist: logins end at this step.',
      '9:60: warning: `components[org.keycloak.keys.KeyProvider][own / rsa-generatedd].providerId` names the provider of the type org.keycloak.keys.KeyProvider "rsa-generatedd", which does not exist: it has no effect.',
    ],
  });
});
