import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../services/core/caller.js';
import type { Context, Services } from '../services/core/context.js';
import { addressForRealm, type RealmRecord } from '../services/core/realm.js';
import { unauthenticated } from '../services/core/refusal.js';
import { callerOf } from '../services/tokens/caller.js';
import type { BearerVerifier } from '../services/tokens/verify.js';
import { forwarded, senderOf, type TrustedProxies } from './forwarded.js';
import { hostOf } from './host-header.js';
import { presentedToken } from './presented-token.js';

const requestIds = new WeakMap<IncomingMessage, string>();

/** The id of a request: the one that its sender gave, if that is a plain one, or else a new one. */
export function requestIdOf(message: IncomingMessage): string {
  let id = requestIds.get(message);
  if (!id) {
    const given = message.headers['x-request-id'];
    id = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
    requestIds.set(message, id);
  }
  return id;
}

/** The address of the sender; behind trusted proxies the one that the outermost of them saw. */
export const addressOf = (message: IncomingMessage, trustProxy: TrustedProxies): string =>
  senderOf(message, trustProxy);

/** The addresses of the realms that requests are for, where they are known. */
const realmAddresses = new WeakMap<IncomingMessage, string>();

/** Has a request to the endpoints of a realm be answered with the address of the realm. */
export const useAddressOf = (message: IncomingMessage, services: Services, realm: RealmRecord): void => {
  realmAddresses.set(message, addressForRealm({ baseUrl: baseUrlOf(message, services) }, realm));
};

/** Scheme, host and base path as the sender sees them, or as the realm says that the request is for. */
export function baseUrlOf(message: IncomingMessage, { config }: Pick<Services, 'config'>): string {
  const ofRealm = realmAddresses.get(message);
  if (ofRealm !== undefined) return ofRealm;
  const [prefix] = config.addressPrefix;
  if (config.publicUrl) return `${config.publicUrl}${prefix}`;
  const scheme =
    forwarded(message, config.trustProxy, 'x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${hostOf(message, config) ?? `localhost:${config.port}`}${prefix}`;
}

/** Makes the context of a request from its access token (RFC 6750 section 2.1, RFC 9449 section 7.1). Throws `unauthenticated`. */
export function authenticator(services: Services, verifier: BearerVerifier) {
  // a connection is authenticated again while it lasts, and its proof counts once
  const proved = new WeakMap<IncomingMessage, string>();
  return async (message: IncomingMessage): Promise<Context> => {
    const presented = presentedToken(message, baseUrlOf(message, services), services.config);
    if (!presented) throw unauthenticated();
    const { token, proof } = presented;
    const isProved = proof !== undefined && proved.get(message) === token;
    const bearer = await verifier.verifyBearer(token, isProved ? 'proved' : presented);
    if (proof) proved.set(message, token);
    return contextOf(services, message, callerOf(bearer));
  };
}

/** The context of a request of this caller. */
export const contextOf = (services: Services, message: IncomingMessage, caller: Caller): Context => ({
  services,
  caller,
  requestId: requestIdOf(message),
  ipAddress: addressOf(message, services.config.trustProxy),
  baseUrl: baseUrlOf(message, services),
  permits: new Map(),
  unit: undefined,
  db: services.database.read,
  loaders: new Map(),
});
