import { randomBytes, randomInt } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { members, numberOf } from '../core/json.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction } from '../core/unit-of-work.js';
import { joinSession } from './code.js';
import { issuerOf, seconds, type TokenContext } from './context.js';
import { ofClients } from './endpoints.js';
import { oauthError } from './oauth-error.js';
import { type PolledRequest, polledId, readPolled, storePolled, takeAnswer } from './polled-request.js';
import { resourcesIn } from './resources.js';
import { chooseScopes } from './scopes.js';
import type { Step } from './steps.js';

/** What a device has asked for, and what the user has said to it. */
export interface DeviceRequest extends PolledRequest {
  /** the client's name for itself */
  client: string;
  scope?: string;
  nonce?: string;
  /** what the tokens are for (RFC 8707) */
  resources?: readonly string[];
  answer?: { denied: true } | { sid: string; issuedAt: number; acr: string };
}

const purpose = 'device code';
const kind = { purpose, name: 'Device code', event: 'oauth2_device_code' };
const ofUser = 'device user code';
/** Consonants that do not make words and are not mistaken for each other (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

const userCodeId = (realmId: string, code: string): string => `${ofUser} ${realmId} ${code}`;
const plain = (code: string): string => code.toUpperCase().replace(/[^A-Z]/g, '');

/** Whether a client may log in by another device of the user. */
export const allowsDevices = (client: { attributes: unknown }): boolean =>
  members(client.attributes)['oauth2.device.authorization.grant.enabled'] === 'true';

/** A number that a client sets for itself, or else its realm. */
const ownOrOfRealm = (
  { realm, client }: { realm: { settings: unknown }; client: { attributes: unknown } },
  attribute: string,
  setting: string,
  standard: number,
): number => {
  const own = numberOf(client.attributes, attribute, 0);
  return own > 0 ? own : numberOf(realm.settings, setting, standard);
};

const pollingInterval = (place: Parameters<typeof ownOrOfRealm>[0]): number =>
  ownOrOfRealm(place, 'oauth2.device.polling.interval', 'oauth2DevicePollingInterval', 5);

/** Begins a login of a device without a browser (RFC 8628 section 3.1). */
export const authorizeDevice = ofClients(async ({ context, realm, client, form, baseUrl }) => {
  if (!allowsDevices(client)) {
    throw oauthError(400, 'unauthorized_client', 'Client not allowed for OAuth 2.0 Device Authorization Grant');
  }
  const scope = form.get('scope') ?? undefined;
  const nonce = form.get('nonce') ?? undefined;
  if ((scope?.length ?? 0) + (nonce?.length ?? 0) > 4000)
    throw oauthError(400, 'invalid_request', 'Parameter too long');
  chooseScopes(client, scope);
  const resources = resourcesIn(form);
  const place = { realm, client };
  const lifespan = Math.max(1, ownOrOfRealm(place, 'oauth2.device.code.lifespan', 'oauth2DeviceCodeLifespan', 600));
  const code = randomBytes(32).toString('base64url');
  const userCode = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
  const request: DeviceRequest = {
    clientId: client.id,
    client: client.clientId,
    ...(scope !== undefined && { scope }),
    ...(nonce !== undefined && { nonce }),
    ...(resources && { resources }),
  };
  const common = { realmId: realm.id, expiresAt: storableTime(seconds(context) + lifespan) };
  const [id, userId] = [polledId(kind, code), userCodeId(realm.id, userCode)];
  await inTransaction(context.database, (tx) =>
    tx.insertNew('OneTimeToken', [
      { ...common, id, purpose, payload: context.sealer.seal(JSON.stringify(request), placeOfPayload(id)) },
      { ...common, id: userId, purpose: ofUser, payload: context.sealer.seal(id, placeOfPayload(userId)) },
    ]),
  );
  const short = realm.attributes.shortVerificationUri;
  const address = typeof short === 'string' && short !== '' ? short : `${issuerOf(baseUrl, realm.name)}/device`;
  const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
  return {
    status: 200,
    body: {
      device_code: code,
      user_code: shown,
      verification_uri: address,
      verification_uri_complete: `${address}?user_code=${shown}`,
      expires_in: lifespan,
      interval: pollingInterval(place),
    },
  };
});

type Reading = Pick<TokenContext, 'database' | 'sealer' | 'now'>;

/** The request that a user has typed the code of; nothing where there is none that waits for an answer. */
export async function requestOfUser(context: Reading, realmId: string, userCode: string) {
  const where = { id: userCodeId(realmId, plain(userCode)), realmId, purpose: ofUser };
  const row = await context.database.read.oneTimeToken.findFirst({ where, select: { payload: true } });
  const id = row && context.sealer.open(row.payload, placeOfPayload(where.id));
  const kept = id && (await readPolled<DeviceRequest>(context, kind, realmId, id));
  return kept && kept.expiresAt > seconds(context) && !kept.request.answer ? kept : undefined;
}

/** Keeps what the user has said to a device. False where that is not waited for any more. */
export async function answerDevice(
  tx: Db,
  { sealer }: Pick<TokenContext, 'sealer'>,
  id: string,
  answer: NonNullable<DeviceRequest['answer']>,
): Promise<boolean> {
  const row = await tx.oneTimeToken.findFirst({ where: { id, purpose }, select: { payload: true } });
  if (!row) return false;
  const request = JSON.parse(sealer.open(row.payload, placeOfPayload(id))) as DeviceRequest;
  if (request.answer) return false;
  return storePolled(tx, { sealer }, { id, stored: row.payload, request }, { answer });
}

/** Answers a device that asks whether the user has said yes (RFC 8628 section 3.5). */
export const deviceCodeVerified: Step = {
  name: 'device code verified',
  async run(grant) {
    const { context, realm, client, form, at } = grant;
    if (!allowsDevices(client)) {
      throw oauthError(400, 'unauthorized_client', 'Client not allowed for OAuth 2.0 Device Authorization Grant');
    }
    const code = form.get('device_code');
    if (!code) throw oauthError(400, 'invalid_request', 'Missing parameter: device_code');
    const interval = pollingInterval({ realm, client });
    const poll = { realmId: realm.id, clientId: client.id, code, interval, at };
    const { request, answer } = await takeAnswer<DeviceRequest>(context, kind, poll);
    if ('denied' in answer) throw oauthError(400, 'access_denied', 'The end user denied the authorization request');
    grant.details.code_id = answer.sid;
    grant.resources = request.resources;
    const { scope, nonce } = request;
    const more = { ...(scope !== undefined && { scope }), ...(nonce !== undefined && { nonce }) };
    await joinSession(grant, { ...answer, clientId: client.id, ...more });
  },
};
