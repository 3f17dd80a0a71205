import type { RealmCache } from '../../core/ports.js';
import { Refusal } from '../../core/refusal.js';
import type { Target } from '../../core/target.js';
import { type KnownToken, knownAccessToken } from '../../tokens/access.js';
import type { FindCertificate } from '../../tokens/client-certificate.js';
import type { TokenContext } from '../../tokens/context.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { findRealmAndClient, realmDoesNotExist } from '../../tokens/parties.js';
import { effectiveRoles } from '../../tokens/roles.js';
import type { TokenRealm, TokenUser } from '../../tokens/types.js';
import { roleKey, rolesInClaims } from '../evaluation/identity.js';

/** The target of an operation of the protection API: the bearer's resource server, with the bearer's token. */
export interface Protected extends Target {
  context: TokenContext;
  /** the realm that signs tokens */
  issuer: TokenRealm;
  server: { id: string; clientId: string; allowRemoteResourceManagement: boolean };
  token: KnownToken;
}

/** A request from the bearer of an access token. */
export interface BearerHeader {
  authorization: string | undefined;
  findCertificate?: FindCertificate | undefined;
}

/** An access token of the realm that is good. */
export async function bearerOf(
  context: TokenContext,
  realm: TokenRealm,
  { authorization, findCertificate }: BearerHeader,
): Promise<KnownToken | undefined> {
  const text = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const known = text === undefined ? undefined : await knownAccessToken(context, realm, text, { findCertificate });
  return known?.inSession ? known : undefined;
}

/** The bearer of a token for a resource server, or for a user of it. Refuses all others. */
export async function protectedBy(
  context: TokenContext,
  realms: RealmCache,
  realmName: string,
  header: BearerHeader,
): Promise<Protected> {
  const { realm: issuer } = await findRealmAndClient(context, realmName, undefined);
  const realm = await realms.byName(context.database.read, realmName);
  if (!realm) throw realmDoesNotExist();
  const token = await bearerOf(context, issuer, header);
  if (!token) {
    throw oauthError(403, 'invalid_bearer_token', 'Could not obtain bearer access_token from request.');
  }
  const { client } = token;
  const server = await context.database.read.resourceServer.findUnique({
    where: { id: client.id },
    select: { id: true, allowRemoteResourceManagement: true },
  });
  if (!server) {
    const text = `Client application [${client.clientId}] is not registered as a resource server.`;
    throw oauthError(403, 'invalid_clientId', text);
  }
  return { context, realm, issuer, server: { ...server, clientId: client.clientId }, token };
}

/** The path of the resource server in audit records. */
export const pathOfServer = ({ server }: Protected): string => `clients/${server.id}/authz/resource-server`;

/** The keys of the objects that a write changes. */
export const touchesServer = (_: unknown, { server }: Protected): string[] => [
  `authorization:${server.id}`,
  `client:${server.id}`,
];

const protection = 'uma_protection';

/** Refuses tokens without the role that lets a resource server manage its resources, and users without this role. */
export async function requireProtection({ context, realm, server, token }: Protected): Promise<void> {
  const isNamed = rolesInClaims(token.claims).has(roleKey(server.clientId, protection));
  // a mapper may name a role that the user does not have
  const { held } = await effectiveRoles(context.database.read, token.user.id, realm.id, token.client);
  const isHeld = held.some(({ name, clientId }) => name === protection && clientId === server.clientId);
  if (!isNamed || !isHeld) throw oauthError(403, 'invalid_scope', 'Requires uma_protection scope.');
}

/** The refusal of a missing object, without a body. */
export const nothingThere = (): Refusal => new Refusal('notFound', 'Not found', { body: null });

/** Whether the bearer is the resource server itself. */
export const isServer = ({ server, token }: Protected): boolean => token.user.serviceAccountClientId === server.id;

/** The owner of a resource that a user creates at a resource server: the server itself for its service account. */
export const ownerIdOf = (user: Pick<TokenUser, 'id' | 'serviceAccountClientId'>, server: { id: string }): string =>
  user.serviceAccountClientId === server.id ? server.id : user.id;

/** The owner of a resource that the bearer creates: the resource server itself, or the user. */
export const ownerOf = ({ server, token }: Protected): string => ownerIdOf(token.user, server);
