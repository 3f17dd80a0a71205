// What the attackers of attack.mjs send: each its requests in turn. A body is a form, or JSON.
import { realm } from './attacked-realm.mjs';

const numbered = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const below = `/auth/realms/${realm}`;
const openid = `${below}/protocol/openid-connect`;
const administration = `/auth/admin/realms/${realm}`;
const ticketGrant = 'urn:ietf:params:oauth:grant-type:uma-ticket';

const get = (path, token) => ({ method: 'GET', path, token });
const form = (path, fields, token) => ({
  method: 'POST',
  path,
  token,
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});
const json = (path, value, token) => ({
  method: 'POST',
  path,
  token,
  type: 'application/json',
  body: JSON.stringify(value),
});
const graphql = (query, variables, token) => json('/graphql', { query, variables }, token);

/** A form with a file, and another field. */
function upload(path, name, value, file, token) {
  const boundary = 'the-boundary-of-the-measurement';
  const part = (disposition, content) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const body = `${part(`name="${name}"`, value)}${part('name="file"; filename="metadata.xml"', file)}--${boundary}--\r\n`;
  return { method: 'POST', path, token, type: `multipart/form-data; boundary=${boundary}`, body };
}

const words = numbered(60, (at) => `${at}${'user'.repeat(15)}`).join(' ');
const usersByFilter = `query ($filter: UserFilter) { realm(name: "${realm}") { users(first: 5, filter: $filter) { totalCount } } }`;
const metadata = `<EntityDescriptor>${numbered(20_000, (at) => `<Extension name="${at}"/>`).join('')}</EntityDescriptor>`;
const longAddress = `https://app-x.example/${'%2561'.repeat(600)}`;

/**
 * The attackers, by what they may do and what they send.
 * @param {Awaited<ReturnType<typeof import('./attacked-realm.mjs').createAttackedRealm>>} known
 */
export const attackers = ({ tokens, apiId, userId }) => ({
  anonymous: {
    'the cheapest requests': [get('/health/live')],
    'keys of the realm': [get(`${openid}/certs`)],
    'logouts with a long address': [
      get(`${openid}/logout?${new URLSearchParams({ post_logout_redirect_uri: longAddress })}`),
    ],
    'authorization requests with many languages': [
      get(
        `${openid}/auth?${new URLSearchParams({
          client_id: 'app-1',
          response_type: 'code',
          redirect_uri: 'https://app-1.example/',
          scope: 'openid',
          ui_locales: numbered(1200, (at) => `x${at}`).join(' '),
        })}`,
      ),
    ],
    'unknown tokens': numbered(50, (at) =>
      get(`${openid}/userinfo`, tokens.user.replace(/\.[^.]*$/, `.${String(at).repeat(64)}`)),
    ),
    'wrong passwords': numbered(50, (at) =>
      form(`${openid}/token`, {
        grant_type: 'password',
        client_id: 'admin-cli',
        username: `user-${at}`,
        password: 'x',
      }),
    ),
    'device codes': numbered(50, (at) => form(`${below}/device`, { device_user_code: `AAAA-${1000 + at}` })),
  },
  'registered client': {
    'tickets for all resources': [form(`${openid}/token`, { grant_type: ticketGrant, audience: 'api' }, tokens.api)],
    introspection: [
      form(`${openid}/token/introspect`, { client_id: 'api', client_secret: 's', token: tokens.user }),
      form(`${openid}/token/introspect`, { client_id: 'api', client_secret: 's', token: 'x'.repeat(14_000) }),
    ],
    'pushed requests': [
      form(`${openid}/ext/par/request`, {
        client_id: 'api',
        client_secret: 's',
        response_type: 'code',
        redirect_uri: 'https://api.example/',
        scope: 'openid',
      }),
    ],
  },
  user: {
    'account and profile': [
      graphql('{ viewer { __typename } }', {}, tokens.user),
      get(`${openid}/userinfo`, tokens.user),
      { ...get(`${below}/account`), accept: 'text/html' },
    ],
    'evaluation of all permissions': [
      form(`${openid}/token`, { grant_type: ticketGrant, audience: 'api', response_mode: 'permissions' }, tokens.user),
    ],
  },
  'view-users': {
    'filters with 100 conditions': [
      graphql(
        usersByFilter,
        { filter: { or: numbered(100, (at) => ({ lastName: { contains: `nobody ${at}` } })) } },
        tokens['view-users'],
      ),
    ],
    'searches for long words': [
      get(`${administration}/users?search=${encodeURIComponent(words)}`, tokens['view-users']),
    ],
    'searches of all types': [
      graphql('{ search(query: "user", first: 50) { node { __typename } } }', {}, tokens['view-users']),
    ],
    'lists of all users': [get(`${administration}/users?max=100000`, tokens['view-users'])],
  },
  'manage-realm': {
    'exports of clients, groups, and roles': [
      json(
        `${administration}/partial-export?exportClients=true&exportGroupsAndRoles=true`,
        undefined,
        tokens['manage-realm'],
      ),
    ],
    'keys of 4,096 bits': [
      {
        ...json(
          `${administration}/components`,
          {
            name: 'generated',
            providerId: 'rsa-generated',
            providerType: 'org.keycloak.keys.KeyProvider',
            config: { keySize: ['4096'], priority: ['0'] },
          },
          tokens['manage-realm'],
        ),
        prefer: 'dry-run',
      },
    ],
  },
  'view-realm': {
    'plans of 1,000 clients': [
      json(
        `${administration}/plan`,
        {
          desired: { clients: numbered(1000, (at) => ({ clientId: `app-${at}`, description: `Described ${at}` })) },
          modes: { clients: 'KEEP' },
        },
        tokens['view-realm'],
      ),
    ],
  },
  'view-authorization': {
    'evaluation of policies': [
      json(
        `${administration}/clients/${apiId}/authz/resource-server/policy/evaluate`,
        { userId, resources: [], context: {} },
        tokens['view-authorization'],
      ),
    ],
  },
  'manage-clients': {
    'generation of keys': [
      json(`${administration}/clients/${apiId}/certificates/jwt.credential/generate`, {}, tokens['manage-clients']),
    ],
    'configuration for Docker': [
      get(`${administration}/clients/${apiId}/installation/providers/docker-v2-compose-yaml`, tokens['manage-clients']),
    ],
  },
  'manage-identity-providers': {
    'XML of 0.5 MB': [
      upload(
        `${administration}/identity-provider/import-config`,
        'providerId',
        'saml',
        metadata,
        tokens['manage-identity-providers'],
      ),
    ],
  },
});
