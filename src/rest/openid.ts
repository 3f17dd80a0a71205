import type { IncomingMessage } from 'node:http';
import { addressOf, baseUrlOf } from '../enter.js';
import type { Services } from '../services/core/context.js';
import { Refusal } from '../services/core/refusal.js';
import type { TokenContext } from '../services/tokens/context.js';
import { discovery, keySet, publicRealm } from '../services/tokens/discovery.js';
import { introspect, logoutByToken, revoke } from '../services/tokens/endpoints.js';
import { type ClientAnswer, grantToken, type TokenRequest } from '../services/tokens/grants.js';
import { userInfo } from '../services/tokens/userinfo.js';
import { type Answer, json } from './answer.js';
import { readText } from './request.js';

type Endpoint = (message: IncomingMessage, realmName: string) => Promise<Answer>;

/** What anybody may ask of a realm below `/auth/realms/{realm}`: the token side. */
export function openidEndpoints(services: Services, tokens: TokenContext) {
  const base = (message: IncomingMessage) => baseUrlOf(message, services);
  const formOf = async (message: IncomingMessage) =>
    new URLSearchParams(await readText(message, services.config.bodyLimit, ['application/x-www-form-urlencoded']));
  const ofClient =
    (answer: (context: TokenContext, request: TokenRequest) => Promise<ClientAnswer>): Endpoint =>
    async (message, realmName) => {
      const form = await formOf(message);
      const { status, body, headers } = await answer(tokens, {
        realmName,
        form,
        authorization: message.headers.authorization ?? null,
        baseUrl: base(message),
        remoteAddress: addressOf(message, services.config.trustProxy),
      });
      return { status, headers, ...(body && { body }) };
    };
  const info = (message: IncomingMessage, realm: string, ofForm: string | null | undefined) => {
    const bearer = /^bearer +(\S+)$/i.exec(message.headers.authorization ?? '')?.[1];
    return userInfo(tokens, realm, bearer ?? ofForm ?? undefined, base(message));
  };
  const endpoints = new Map<string, Endpoint>([
    ['GET ', async (message, realm) => json(await publicRealm(tokens, realm, base(message)))],
    [
      'GET /.well-known/openid-configuration',
      async (message, realm) => json(await discovery(tokens, realm, base(message))),
    ],
    ['GET /protocol/openid-connect/certs', async (_message, realm) => json(await keySet(tokens, realm))],
    ['POST /protocol/openid-connect/token', ofClient(grantToken)],
    ['POST /protocol/openid-connect/token/introspect', ofClient(introspect)],
    ['POST /protocol/openid-connect/revoke', ofClient(revoke)],
    ['POST /protocol/openid-connect/logout', ofClient(logoutByToken)],
    ['GET /protocol/openid-connect/userinfo', async (message, realm) => info(message, realm, undefined)],
    [
      'POST /protocol/openid-connect/userinfo',
      async (message, realm) => info(message, realm, (await formOf(message)).get('access_token')),
    ],
  ]);
  return async (message: IncomingMessage, path: string): Promise<Answer> => {
    const [, encoded = '', rest = ''] = /^\/auth\/realms\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const tail = rest.replace(/\/$/, '');
    const method = message.method === 'HEAD' ? 'GET' : message.method;
    const endpoint = endpoints.get(`${method} ${tail}`);
    if (endpoint) return endpoint(message, decodeURIComponent(encoded));
    const others = ['GET', 'POST'].filter((other) => endpoints.has(`${other} ${tail}`));
    if (others.length === 0) throw new Refusal('notFound', 'RESTEASY003210: Could not find resource for full path');
    return {
      status: 405,
      headers: { allow: others.join(', ') },
      body: { error: 'RESTEASY003650: No resource method found' },
    };
  };
}
