import type { IncomingMessage } from 'node:http';
import { addressOf, baseUrlOf } from '../enter.js';
import type { Services } from '../services/core/context.js';
import { Refusal } from '../services/core/refusal.js';
import type { TokenContext } from '../services/tokens/context.js';
import { discovery, keySet, publicRealm } from '../services/tokens/discovery.js';
import { grantToken } from '../services/tokens/grants.js';
import { type Answer, json } from './answer.js';
import { readText } from './request.js';

type Endpoint = (message: IncomingMessage, realmName: string) => Promise<Answer>;

/** What anybody may ask of a realm below `/auth/realms/{realm}`: the token side. */
export function openidEndpoints(services: Services, tokens: TokenContext) {
  const base = (message: IncomingMessage) => baseUrlOf(message, services);
  const endpoints = new Map<string, Endpoint>([
    ['GET ', async (message, realm) => json(await publicRealm(tokens, realm, base(message)))],
    [
      'GET /.well-known/openid-configuration',
      async (message, realm) => json(await discovery(tokens, realm, base(message))),
    ],
    ['GET /protocol/openid-connect/certs', async (_message, realm) => json(await keySet(tokens, realm))],
    [
      'POST /protocol/openid-connect/token',
      async (message, realmName) => {
        const text = await readText(message, services.config.bodyLimit, ['application/x-www-form-urlencoded']);
        const { status, body, headers } = await grantToken(tokens, {
          realmName,
          form: new URLSearchParams(text),
          authorization: message.headers.authorization ?? null,
          baseUrl: base(message),
          remoteAddress: addressOf(message, services.config.trustProxy),
        });
        return { status, body, headers };
      },
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
