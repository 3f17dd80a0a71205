// The realm of attack.mjs: with so much in it that requests whose cost grows with what is stored are dear.
import { pbkdf2Sync } from 'node:crypto';

export const realm = 'attacked';
export const password = 'correct horse';
/** Users with a password, who log in. */
export const people = 500;
/** Roles of administrators, by what they are called. */
const administrators = {
  'view-users': ['view-users'],
  'view-realm': [
    'view-realm',
    'view-clients',
    'view-users',
    'view-identity-providers',
    'view-authorization',
    'view-events',
  ],
  'view-authorization': ['view-authorization', 'view-clients', 'view-users'],
  'manage-clients': ['manage-clients'],
  'manage-realm': ['realm-admin'],
  'manage-identity-providers': ['manage-identity-providers'],
};
const sizes = { users: 4000, clients: 2000, resources: 2000, roles: 1000, groups: 500, locales: 100 };

const numbered = (count, make) => Array.from({ length: count }, (_, at) => make(at));

/** The password as it is stored, so that nobody has to hash it five hundred times. */
function storedPassword() {
  const salt = Buffer.from('the same for all');
  const value = pbkdf2Sync(password, salt, 27_500, 64, 'sha256').toString('base64');
  return {
    type: 'password',
    secretData: JSON.stringify({ value, salt: salt.toString('base64') }),
    credentialData: JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256' }),
  };
}

function file() {
  const credentials = [storedPassword()];
  const user = (at) => ({
    username: `user-${at}`,
    email: `user-${at}@mail.example`,
    firstName: `First ${at % 97}`,
    lastName: `Last ${at % 89}`,
    enabled: true,
    attributes: { floor: [String(at % 9)] },
    realmRoles: [`role-${at % sizes.roles}`],
    ...(at < people && { credentials }),
  });
  const resource = (at) => ({ name: `thing-${at}`, type: `type-${at}`, uris: [`/things/${at}/*`] });
  const permission = (at) => ({
    name: `about-${at}`,
    type: 'resource',
    config: { resources: JSON.stringify([`thing-${at}`]), applyPolicies: '["everybody"]' },
  });
  return {
    realm,
    enabled: true,
    // tokens of the attackers are good for the whole measurement
    accessTokenLifespan: 36_000,
    internationalizationEnabled: true,
    supportedLocales: numbered(sizes.locales, (at) => `l${at}`),
    roles: { realm: numbered(sizes.roles, (at) => ({ name: `role-${at}` })) },
    groups: numbered(sizes.groups, (at) => ({ name: `group-${at}`, attributes: { floor: [String(at)] } })),
    clients: [
      ...numbered(sizes.clients, (at) => ({
        clientId: `app-${at}`,
        publicClient: true,
        directAccessGrantsEnabled: true,
        redirectUris: [`https://app-${at}.example/*`, '/below/*'],
      })),
      {
        clientId: 'api',
        secret: 's',
        serviceAccountsEnabled: true,
        redirectUris: ['https://api.example/*'],
        directAccessGrantsEnabled: true,
        authorizationServicesEnabled: true,
        authorizationSettings: {
          resources: numbered(sizes.resources, resource),
          policies: [
            { name: 'everybody', type: 'js', config: { code: '$evaluation.grant();' } },
            ...numbered(sizes.resources, permission),
          ],
        },
      },
    ],
    users: [
      ...numbered(sizes.users, user),
      ...Object.entries(administrators).map(([name, roles]) => ({
        username: `has-${name}`,
        enabled: true,
        credentials,
        clientRoles: { 'realm-management': roles },
      })),
    ],
  };
}

/** Creates the realm, and returns the tokens and IDs that attackers have. */
export async function createAttackedRealm(admin) {
  await admin.call('POST', '/', file());
  const token = async (form) => {
    const answer = await fetch(`${admin.base}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body;
  };
  const login = (username) => token({ grant_type: 'password', client_id: 'admin-cli', username, password });
  const service = await token({ grant_type: 'client_credentials', client_id: 'api', client_secret: 's' });
  const tokens = { api: service.access_token };
  for (const name of Object.keys(administrators)) tokens[name] = (await login(`has-${name}`)).access_token;
  const user = await login('user-1');
  const [api] = (await admin.call('GET', `/${realm}/clients?clientId=api`)).json();
  const [someone] = (await admin.call('GET', `/${realm}/users?username=user-1&exact=true`)).json();
  return { tokens: { ...tokens, user: user.access_token }, apiId: api.id, userId: someone.id };
}
