import { randomUUID } from 'node:crypto';
import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { secretSelect, signingSecret } from '../clients/secrets.js';
import type { FetchPublic } from '../core/fetch-public.js';
import { members } from '../core/json.js';
import { listsByKey } from '../core/lists-by-key.js';
import type { Keyring } from '../core/ports.js';
import type { Sealer } from '../core/seal.js';
import { algorithmAmong } from '../keys/jws.js';
import { signPublicToken, signWithSecret } from '../keys/sign.js';
import { isToldBySaml, samlLogoutNotice } from '../saml/logout-notice.js';
import { deliver, type GlobalRequestResult, type Notice } from './deliver.js';
import { frontChannelUrl } from './front-channel.js';
import {
  hostOfSession,
  type ManagedClient,
  managementAddress,
  managementAddresses,
  type Place,
  withHost,
} from './management-address.js';
import { idsOfManagedClients } from './store.js';

/** The services for notifications: the keys of the realm, and the address under which callers see the server. */
export interface Sender extends Place {
  keyring: Keyring;
  sealer: Pick<Sealer, 'open'>;
  fetchPublic: FetchPublic;
}

interface Realm {
  id: string;
  name: string;
  settings: Readonly<Record<string, unknown>>;
}

/** Part of a client in a session that ends. */
export interface Concerned {
  sid: string;
  userId: string;
  notes: Record<string, unknown>;
  client: ManagedClient & { id: string; frontchannelLogout: boolean };
  /** the secret by which tokens for the client are signed with an algorithm; a function, so that it is not stored with the rest */
  secretFor?: (sender: Pick<Sender, 'sealer' | 'now'>, algorithm: string) => string | undefined;
}

/** How long an admin action is good for, in seconds. */
const actionLifetime = 30;
/** Maximum client sessions of a user for which clients are notified one by one. */
const most = 1000;

const clientSelect = {
  id: true,
  clientId: true,
  enabled: true,
  protocol: true,
  rootUrl: true,
  adminUrl: true,
  frontchannelLogout: true,
  attributes: true,
  registeredNodes: true,
  nodeReRegistrationTimeout: true,
} as const satisfies Prisma.ClientSelect;

const signingSelect = { realmId: true, publicClient: true, ...secretSelect } as const satisfies Prisma.ClientSelect;

/**
 * The client sessions that are about to end, with the clients to notify: one statement. `clientIds` are the clients
 * that may need it, if they are known.
 */
export async function concernedBy(
  tx: Db,
  where: Prisma.UserSessionWhereInput,
  clientIds?: readonly string[],
): Promise<Concerned[]> {
  const rows = await tx.clientSession.findMany({
    where: { session: where, ...(clientIds && { clientId: { in: [...clientIds] } }) },
    select: {
      notes: true,
      session: { select: { sid: true, userId: true } },
      client: { select: { ...clientSelect, ...signingSelect } },
    },
    orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
    take: most,
  });
  return rows
    .map(
      ({
        notes,
        session,
        client: { realmId, publicClient, secret, previousSecret, previousSecretUntil, ...client },
      }) => {
        const { id, attributes } = client;
        const secrets = { id, attributes, realmId, publicClient, secret, previousSecret, previousSecretUntil };
        const secretFor: Concerned['secretFor'] = (sender, algorithm) => signingSecret(secrets, sender, algorithm);
        return { ...session, notes: members(notes), client, secretFor };
      },
    )
    .filter(({ client, notes }) => client.enabled && (isToldBySaml({ client, notes }) || isTold(client)));
}

const isTold = (client: Concerned['client']): boolean =>
  Boolean(client.adminUrl) || backchannelUrl(client) !== undefined || frontChannelUrl(client) !== undefined;

/** The clients of a realm with an admin URL or a logout URL, in the order of their clientIds. */
export async function managedClients(tx: Db, realmId: string): Promise<(ManagedClient & { id: string })[]> {
  const ids = await idsOfManagedClients(tx, realmId);
  if (ids.length === 0) return [];
  return tx.client.findMany({
    where: { id: { in: ids } },
    select: clientSelect,
    orderBy: { clientId: 'asc' },
  });
}

/**
 * Notifies the clients of ended sessions, within a few seconds; never throws. Clients with an address for it get a
 * logout token (OpenID Connect Back-Channel Logout 1.0). SAML clients get a logout request, and others an admin action.
 */
export async function tellOfLogout(
  sender: Sender,
  realm: Realm,
  concerned: readonly Concerned[],
): Promise<GlobalRequestResult> {
  const bySaml = concerned.filter(isToldBySaml);
  const others = concerned.filter((part) => !isToldBySaml(part));
  const byToken = others.filter(({ client }) => backchannelUrl(client) !== undefined);
  const byAction = others.filter(({ client }) => backchannelUrl(client) === undefined);
  const byClient = listsByKey(byAction.map((part) => [part.client.id, part]));
  return deliver(sender.fetchPublic, [
    ...bySaml.map((part) => samlLogoutNotice(sender, realm, part)),
    ...byToken.map((part) => logoutTokenNotice(sender, realm, part)),
    ...[...byClient.values()].flatMap((parts) => logoutNotices(sender, realm, parts)),
  ]);
}

/**
 * Notifies all clients that every session has ended and that tokens from before `notBefore` are no longer valid. As
 * recorded, a client without a session counts as notified.
 */
export async function tellOfLogoutOfAll(
  sender: Sender,
  realm: Realm,
  clients: readonly ManagedClient[],
  concerned: readonly Concerned[],
  notBefore: number,
): Promise<GlobalRequestResult> {
  const inSessions = new Set(concerned.map(({ client }) => client.clientId));
  const actions = clients
    .filter(({ enabled, protocol }) => enabled && protocol !== 'saml')
    .flatMap((client) =>
      managementAddresses(client, sender).map((address) => ({
        ...actionNotice(sender, realm, client, address, 'k_logout', { action: 'LOGOUT', notBefore }),
        indifferent: !inSessions.has(client.clientId),
      })),
    );
  const bySaml = concerned.filter(isToldBySaml).map((part) => samlLogoutNotice(sender, realm, part));
  const tokens = concerned
    .filter((part) => !isToldBySaml(part) && backchannelUrl(part.client) !== undefined)
    .map((part) => logoutTokenNotice(sender, realm, part));
  return deliver(sender.fetchPublic, [...actions, ...bySaml, ...tokens]);
}

/** Notifies clients since when tokens are valid: `notBefore` returns it for each, in seconds since 1970. */
export async function tellOfRevocation(
  sender: Sender,
  realm: Realm,
  clients: readonly ManagedClient[],
  notBefore: number,
): Promise<GlobalRequestResult> {
  return deliver(
    sender.fetchPublic,
    clients.flatMap((client) =>
      managementAddresses(client, sender).map((address) => {
        const push = { action: 'PUSH_NOT_BEFORE', notBefore };
        const notice = actionNotice(sender, realm, client, address, 'k_push_not_before', push);
        // SAML has no such message
        return client.protocol === 'saml' ? { ...notice, request: undefined } : notice;
      }),
    ),
  );
}

/** Tests whether clients are available at each of their nodes. */
export async function testAvailability(
  sender: Sender,
  realm: Realm,
  clients: readonly ManagedClient[],
): Promise<GlobalRequestResult> {
  return deliver(
    sender.fetchPublic,
    clients.flatMap((client) =>
      managementAddresses(client, sender).map((address) =>
        actionNotice(sender, realm, client, address, 'k_test_available', { action: 'TEST_AVAILABILITY' }),
      ),
    ),
  );
}

/** The adapter receives its own session IDs, in one request for each of its hosts if the URL requires it. */
function logoutNotices(sender: Sender, realm: Realm, parts: readonly Concerned[]): Notice[] {
  const [first] = parts;
  const address = first && managementAddress(first.client, sender);
  if (!first || address === undefined) return [];
  const hostOf = ({ notes }: Concerned) => (withHost(address, '') === address ? 'any' : hostOfSession(notes));
  const reachable = parts.filter((part) => hostOf(part) !== undefined);
  return [...listsByKey(reachable.map((part) => [hostOf(part) ?? '', part]))].map(([host, there]) =>
    actionNotice(sender, realm, first.client, withHost(address, host), 'k_logout', {
      action: 'LOGOUT',
      // an empty list, because a missing one would end all sessions of the adapter
      adapterSessionIds: there.flatMap(({ notes }) => textOf(notes.client_session_state) ?? []),
      notBefore: 0,
      keycloakSessionIds: there.map(({ sid }) => sid),
    }),
  );
}

/** An admin action: a token that the realm has signed, as the body of a POST below the admin URL. */
function actionNotice(
  sender: Sender,
  realm: Realm,
  { clientId }: ManagedClient,
  address: string,
  path: string,
  action: Record<string, unknown>,
): Notice {
  return {
    address,
    async request() {
      const expiration = Math.floor(sender.now() / 1000) + actionLifetime;
      const claims = { id: randomUUID(), expiration, resource: clientId, ...action };
      const token = { purpose: 'adapterAction', algorithm: algorithmOf(realm, undefined), claims } as const;
      const body = await signPublicToken(sender, realm, token);
      return { url: `${address.replace(/\/$/, '')}/${path}`, type: 'text/plain', body };
    },
  };
}

function logoutTokenNotice(sender: Sender, realm: Realm, { client, sid, userId, notes, secretFor }: Concerned): Notice {
  const address = withHost(backchannelUrl(client) ?? '', hostOfSession(notes) ?? '');
  const attributes = attributesOf(client);
  return {
    address,
    async request() {
      const events: Record<string, unknown> = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      if (attributes['backchannel.logout.revoke.offline.tokens'] === 'true') events.revoke_offline_access = true;
      const at = Math.floor(sender.now() / 1000);
      const claims = {
        iat: at,
        exp: at + actionLifetime,
        jti: randomUUID(),
        iss: `${sender.baseUrl}/realms/${encodeURIComponent(realm.name)}`,
        aud: client.clientId,
        sub: userId,
        ...(attributes['backchannel.logout.session.required'] !== 'false' && { sid }),
        events,
      };
      const algorithm = algorithmOf(realm, attributes['id.token.signed.response.alg']);
      const token = { purpose: 'logout', algorithm, claims } as const;
      // in the same way as ID tokens
      const secret = secretFor?.(sender, algorithm);
      const signed = secret === undefined ? signPublicToken(sender, realm, token) : signWithSecret(secret, token);
      const body = new URLSearchParams({ logout_token: await signed }).toString();
      return { url: address, type: 'application/x-www-form-urlencoded', body };
    },
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const attributesOf = ({ attributes }: ManagedClient): Record<string, unknown> =>
  (attributes ?? {}) as Record<string, unknown>;

const backchannelUrl = (client: ManagedClient): string | undefined =>
  textOf(attributesOf(client)['backchannel.logout.url']);

const algorithmOf = ({ settings }: Realm, own: unknown): string =>
  algorithmAmong(own, settings.defaultSignatureAlgorithm);
