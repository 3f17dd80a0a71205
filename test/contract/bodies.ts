import type { Parameters } from '../matrix/addresses.js';
import type { Caller } from '../support/fixture.js';

interface Around {
  admin: Caller;
  params: Parameters;
  address: string;
}

interface Sent {
  body?: unknown;
  type?: string;
  query?: string;
}

type Make = (around: Around) => Sent | Promise<Sent>;

const json = (body: unknown): Sent => ({ body });
const boundary = 'between-the-parts';

/** A form with files or texts. */
const form = (fields: Record<string, string>): Sent => {
  const parts = Object.entries(fields).map(([name, content]) => {
    const file = name === 'file' ? '; filename="file"\r\nContent-Type: application/octet-stream' : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  return { body: `${parts.join('')}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` };
};

const server = '/{realm}/clients/{id}/authz/resource-server';
const policy =
  (name: string, more: object): Make =>
  () =>
    json({ name, ...more });
const discovery = {
  issuer: 'https://op.example.org',
  authorization_endpoint: 'https://op.example.org/auth',
  token_endpoint: 'https://op.example.org/token',
};

const certificate: Make = async ({ admin, params }) => {
  const at = `/${params.realm}/clients/${params.client}/certificates/jwt.credential`;
  const made = (await admin.send('POST', `${at}/generate`)).body.certificate as string;
  return form({
    keystoreFormat: 'Certificate PEM',
    file: `-----BEGIN CERTIFICATE-----\n${made}\n-----END CERTIFICATE-----\n`,
  });
};

const forUser: Make = ({ params }) => ({ query: `?userId=${params.userId}` });
const enable: Make = () => json({ enabled: true });
const evaluation: Make = ({ params }) => json({ userId: params.userId, resources: [] });

/** What an operation needs to answer with something; by method and path. */
const makes: Record<string, Make> = {
  'PUT /{realm}/authentication/flows/{flowAlias}/executions': async ({ admin, address }) =>
    json((await admin.send('GET', address)).body[0]),
  'PUT /{realm}/authentication/flows/{id}': async ({ admin, address }) => json((await admin.send('GET', address)).body),
  'PUT /{realm}/users/profile': () => json({ attributes: [] }),
  'POST /{realm}/client-description-converter': () => json({ clientId: 'described' }),
  'POST /{realm}/clients-initial-access': () => json({ count: 1, expiration: 100 }),
  'POST /{realm}/plan': () => json({ desired: { displayName: 'Planned' } }),
  'POST /{realm}/apply': () => json({ desired: { displayName: 'Applied' } }),
  'POST /{realm}/applies/{id}/revert': () => json({ allowDeletes: 10 }),
  'GET /{realm}/managed': async ({ admin, params }) => {
    const file = { desired: { displayNameHtml: 'Managed' }, source: 'https://git.example.org/realms' };
    await admin.send('POST', `/${params.realm}/apply`, file);
    return {};
  },
  [`POST ${server}/permission/evaluate`]: evaluation,
  [`POST ${server}/policy/evaluate`]: evaluation,
  [`POST ${server}/permission/resource`]: ({ params }) =>
    json({ name: 'by resource', resources: [params['resource-id']] }),
  [`POST ${server}/permission/scope`]: ({ params }) => json({ name: 'by scope', scopes: [params['scope-id']] }),
  [`POST ${server}/policy`]: policy('generic', { type: 'user', config: { users: '[]' } }),
  [`POST ${server}/policy/aggregate`]: ({ params }) => json({ name: 'aggregated', policies: [params['policy-id']] }),
  [`POST ${server}/policy/client`]: ({ params }) => json({ name: 'of client', clients: [params.client] }),
  [`POST ${server}/policy/client-scope`]: ({ params }) =>
    json({ name: 'of scope', clientScopes: [{ id: params.clientScopeId, required: false }] }),
  [`POST ${server}/policy/group`]: ({ params }) => json({ name: 'of group', groups: [{ id: params.groupId }] }),
  [`POST ${server}/policy/regex`]: policy('matching', { targetClaim: 'sub', pattern: '.*' }),
  [`POST ${server}/policy/role`]: ({ params }) => json({ name: 'of role', roles: [{ id: params['role-id'] }] }),
  [`POST ${server}/policy/time`]: policy('timed', { hour: '1', hourEnd: '2' }),
  [`POST ${server}/policy/user`]: ({ params }) => json({ name: 'of user', users: [params.userId] }),
  [`POST ${server}/resource`]: policy('second thing', { uris: ['/second'], scopes: [{ name: 'use' }] }),
  [`POST ${server}/scope`]: policy('second use', {}),
  [`GET ${server}/policy/search`]: () => ({ query: '?name=clerks' }),
  [`GET ${server}/permission/search`]: () => ({ query: '?name=using' }),
  [`GET ${server}/policy/{type}/search`]: () => ({ query: '?name=clerks' }),
  [`GET ${server}/permission/{type}/search`]: () => ({ query: '?name=using' }),
  [`GET ${server}/resource/search`]: () => ({ query: '?name=thing' }),
  [`GET ${server}/scope/search`]: () => ({ query: '?name=use' }),
  'POST /{realm}/clients/{id}/certificates/{attr}/upload': certificate,
  'POST /{realm}/clients/{id}/certificates/{attr}/upload-certificate': certificate,
  'POST /{realm}/groups/{id}/children': policy('below', {}),
  'POST /{realm}/identity-provider/import-config': () => form({ providerId: 'oidc', file: JSON.stringify(discovery) }),
  'POST /{realm}/partial-export': () => ({ query: '?exportClients=true&exportGroupsAndRoles=true' }),
  'POST /{realm}/partialImport': () => json({ ifResourceExists: 'SKIP', users: [{ username: 'imported' }] }),
  'GET /{realm}/clients/{id}/evaluate-scopes/generate-example-access-token': forUser,
  'GET /{realm}/clients/{id}/evaluate-scopes/generate-example-id-token': forUser,
  'GET /{realm}/clients/{id}/evaluate-scopes/generate-example-userinfo': forUser,
  'GET /{realm}/components/{id}/sub-component-types': () => ({
    query: '?type=org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
  }),
  'GET /{realm}/roles': () => ({ query: '?briefRepresentation=false' }),
  'GET /{realm}/groups': () => ({ query: '?briefRepresentation=false' }),
};

/** The body of a request that the operation answers with what it has, and its query. */
export function bodyOf(title: string, around: Around): Sent | Promise<Sent> {
  if (/^PUT .*permissions$/.test(title)) return enable(around);
  return makes[title]?.(around) ?? {};
}
