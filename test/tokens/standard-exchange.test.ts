import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// The standard token exchange of Keycloak 26: a client exchanges tokens for its own ones.
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const refreshToken = 'urn:ietf:params:oauth:token-type:refresh_token';
const standard = { 'standard.token.exchange.enabled': 'true' };

let server: TestServer;
let admin: Caller;

type Fields = readonly (readonly [string, string])[];
async function tokens(...fields: Fields) {
  const response = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
  });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, body, error: `${body.error}: ${body.error_description}` };
}
const credentials = (client: string): Fields => [
  ['client_id', client],
  ['client_secret', 'secret'],
];
const login = async (client: string): Promise<string> => {
  const user: Fields = [
    ['grant_type', 'password'],
    ['username', 'ann'],
    ['password', 'pw'],
  ];
  return (await tokens(...credentials(client), ...user)).body.access_token as string;
};
const as = (client: string, subject: string, ...more: Fields) =>
  tokens(...credentials(client), ['grant_type', exchange], ['subject_token', subject], ...more);

const audience = (name: string) => ({
  name: `audience ${name}`,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.client.audience': name, 'access.token.claim': 'true' },
});

beforeAll(async () => {
  const client = (clientId: string, attributes: object, names: string[] = []) => ({
    clientId,
    secret: 'secret',
    redirectUris: ['http://app.example'],
    directAccessGrantsEnabled: true,
    fullScopeAllowed: false,
    attributes,
    protocolMappers: names.map(audience),
  });
  ({ server, admin } = await startWithRealm({
    realm: 'shop',
    enabled: true,
    eventsEnabled: true,
    clients: [
      client('front', {}, ['gateway', 'plain', 'keeper']),
      client('gateway', standard, ['orders', 'stock', 'mail']),
      client('keeper', { ...standard, 'standard.token.exchange.enableRefreshRequestedTokenType': 'SAME_SESSION' }, [
        'orders',
        'stock',
      ]),
      client('plain', {}, ['orders']),
      client('orders', {}),
      client('stock', {}),
      client('mail', {}),
      client('other', {}),
    ],
    users: [{ username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
  }));
});

describe('the standard token exchange', () => {
  it('gives a client a token of its own, limited to the audience that it names', async () => {
    const subject = await login('front');
    const whole = await as('gateway', subject);
    expect(whole.error).toBe('undefined: undefined');
    expect(decodeJwt(whole.body.access_token ?? '')).toMatchObject({
      azp: 'gateway',
      aud: ['orders', 'stock', 'mail'],
    });
    const { body } = await as('gateway', subject, ['audience', 'orders']);
    const claims = decodeJwt(body.access_token ?? '');
    const { sid, sub } = decodeJwt(subject);
    expect(claims).toMatchObject({ azp: 'gateway', aud: 'orders', sid, sub });
    const several = await as('gateway', subject, ['audience', 'orders'], ['audience', 'stock']);
    expect(decodeJwt(several.body.access_token ?? '').aud).toEqual(['orders', 'stock']);
    const { body: events } = await admin.send('GET', '/shop/events?type=TOKEN_EXCHANGE');
    expect(events[0]).toMatchObject({ clientId: 'gateway', details: { audience: 'orders stock' } });
  });

  it('gives refresh tokens to clients that are set to get them, which reach no further', async () => {
    const subject = await login('front');
    const wanted = ['requested_token_type', refreshToken] as const;
    const refused = await as('gateway', subject, wanted);
    expect(refused.error).toBe('invalid_request: Client gets no refresh tokens by an exchange');
    const { body } = await as('keeper', subject, wanted, ['audience', 'orders']);
    const refresh = [
      ['grant_type', 'refresh_token'],
      ['refresh_token', body.refresh_token ?? ''],
    ] as const;
    const renewed = await tokens(...credentials('keeper'), ...refresh);
    expect(decodeJwt(renewed.body.access_token ?? '')).toMatchObject({ azp: 'keeper', aud: 'orders' });
  });

  it.each([
    [
      'for an audience that the client does not reach',
      'gateway',
      'front',
      'other',
      'invalid_target: The client gets no tokens for the resource other',
    ],
    [
      'for an audience that does not exist',
      'gateway',
      'front',
      'nothing',
      'invalid_target: The client gets no tokens for the resource nothing',
    ],
    [
      'for a token that was not meant for the client',
      'gateway',
      'other',
      'orders',
      'access_denied: Client is not within the token audience',
    ],
    ['to a client without the setting', 'plain', 'front', 'orders', 'access_denied: Client not allowed to exchange'],
  ])('is refused %s', async (_, client, holder, name, expected) => {
    const { error, body } = await as(client, await login(holder), ['audience', name]);
    expect(error).toBe(expected);
    expect(body.access_token).toBeUndefined();
  });

  it('is refused for more audiences than a request may name', async () => {
    const many = Array.from({ length: 11 }, (_, index) => ['audience', `client ${index}`] as const);
    const { error } = await as('gateway', await login('front'), ...many);
    expect(error).toBe('invalid_target: At most 10 parameters: audience');
  });

  it('leaves other clients one audience', async () => {
    const { error } = await as('plain', await login('front'), ['audience', 'orders'], ['audience', 'stock']);
    expect(error).toBe('invalid_request: duplicated parameter');
  });
});
