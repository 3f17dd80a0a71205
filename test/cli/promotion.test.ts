import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

const storage = 'org.keycloak.storage.UserStorageProvider';
const staging = {
  realm: 'staging',
  enabled: true,
  smtpServer: { host: 'mail.example', from: 'a@shop.example', auth: 'true', user: 'shop', password: 'mail-secret' },
  clients: [
    { clientId: 'shop', secret: 'shop-secret' },
    { clientId: 'spa', publicClient: true },
  ],
  identityProviders: [
    {
      alias: 'corporate',
      providerId: 'oidc',
      config: {
        ...{ clientId: 'x', clientSecret: 'idp-secret' },
        ...{ authorizationUrl: 'https://idp.example/authorize', tokenUrl: 'https://idp.example/token' },
      },
    },
  ],
  components: {
    [storage]: [
      {
        name: 'people',
        providerId: 'ldap',
        config: {
          ...{ connectionUrl: ['ldap://directory.example'], usersDn: ['ou=people'], bindDn: ['cn=reader'] },
          ...{ bindCredential: ['ldap-secret'], enabled: ['false'] },
        },
      },
    ],
  },
};
const variables = {
  CLIENTS_SHOP_SECRET: 'shop-secret-of-production',
  COMPONENTS_PEOPLE_LDAP_BIND_CREDENTIAL: 'ldap-secret-of-production',
  IDENTITY_PROVIDERS_CORPORATE_CLIENT_SECRET: 'idp-secret-of-production',
  SMTP_SERVER_PASSWORD: 'mail-secret-of-production',
};

it('a realm is promoted with the secrets of its next environment', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const { admin } = await startWithRealm(staging, { databaseUrl });
  expect((await admin.send('POST', '/', { realm: 'production', enabled: true })).status).toBe(201);
  const folder = join(temporaryFolder(), 'realm');
  const run = (args: string[], env = {}) => realmgate(args, { DATABASE_URL: databaseUrl, ...env });
  const pull = (...options: string[]) => run(['pull', '--realm', 'staging', '--out', folder, ...options]);
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const filesWithSecrets = [
    'realm.yaml',
    'clients/shop.yaml',
    'identity-providers/corporate.yaml',
    `components/${storage}.yaml`,
  ];

  // masks are refused where there is nothing that they stand for, and no client gets a secret that nobody knows
  expect(await pull()).toMatchObject({ status: 0, errors: '' });
  const refused = await run(['plan', folder, '--realm', 'production']);
  expect(refused).toMatchObject({ status: 1, output: '' });
  for (const place of ['smtpServer.password', 'clients[shop].secret', 'clientSecret', 'bindCredential'])
    expect(refused.errors).toMatch(
      new RegExp(`${place.replace(/[[\]]/g, '\\$&')}.*stands for a secret that the realm`),
    );

  // variables in their place, which a later pull keeps
  expect(await pull('--secret-references')).toMatchObject({ status: 0, errors: '' });
  const written = filesWithSecrets.map(text);
  for (const name of Object.keys(variables)) expect(written.join('')).toContain(`\${env:${name}}`);
  expect(await pull()).toMatchObject({ status: 0, errors: '' });
  expect(filesWithSecrets.map(text)).toEqual(written);

  // the default role and the built-in clients are those of the other realm
  const planned = await run(['plan', folder, '--realm', 'production'], variables);
  expect(planned).toMatchObject({ status: 2, errors: '' });
  expect(planned.output.split('\n').filter((line) => /^[-+~]/.test(line))).toEqual([
    ...['+ CLIENT shop', '+ CLIENT spa', '+ COMPONENT people', '+ IDENTITY_PROVIDER corporate', '~ REALM production'],
  ]);
  const applied = await run(['apply', folder, '--realm', 'production', '--yes'], variables);
  expect(applied).toMatchObject({ status: 0, errors: '' });
  expect(await run(['plan', folder, '--realm', 'production'], variables)).toMatchObject({ status: 0 });
  const { body } = await admin.send('GET', '/production/export?secrets=true');
  expect(
    JSON.stringify(body)
      .match(/[a-z]+-secret-of-production/g)
      ?.sort(),
  ).toEqual(Object.values(variables).sort());
});
