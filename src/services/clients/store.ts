import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { protocolMapperSelect } from '../client-scopes/encode.js';

/** What ClientRepresentation reads. The secret is not among it. */
export const full = {
  id: true,
  realmId: true,
  clientId: true,
  name: true,
  description: true,
  enabled: true,
  protocol: true,
  clientAuthenticatorType: true,
  publicClient: true,
  bearerOnly: true,
  consentRequired: true,
  standardFlowEnabled: true,
  implicitFlowEnabled: true,
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  authorizationServicesEnabled: true,
  frontchannelLogout: true,
  fullScopeAllowed: true,
  surrogateAuthRequired: true,
  alwaysDisplayInConsole: true,
  rootUrl: true,
  adminUrl: true,
  baseUrl: true,
  nodeReRegistrationTimeout: true,
  notBefore: true,
  redirectUris: true,
  webOrigins: true,
  attributes: true,
  authenticationFlowBindingOverrides: true,
  registeredNodes: true,
  version: true,
  protocolMappers: { select: protocolMapperSelect, orderBy: { name: 'asc' } },
  scopes: {
    select: { optional: true, clientScope: { select: { name: true, protocol: true } } },
    orderBy: { clientScope: { name: 'asc' } },
  },
} as const satisfies Prisma.ClientSelect;

/** What an update reads inside its transaction. */
export const updated = {
  ...full,
  secret: true,
  serviceAccount: { select: { id: true } },
} as const satisfies Prisma.ClientSelect;

export type FullClient = Prisma.ClientGetPayload<{ select: typeof full }>;
export type UpdatedClient = Prisma.ClientGetPayload<{ select: typeof updated }>;

/** The client in its current state, for the audit record and the answer. */
export const readClient = (db: Db, id: string): Promise<FullClient> =>
  db.client.findUniqueOrThrow({ where: { id }, select: full });

/** A query for the ids of the service accounts of clients, by the ids of these. */
export const accountsOf = (clientIds: readonly string[]): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "User" WHERE "serviceAccountClientId" IN (${Prisma.join(['', ...clientIds])})`;
