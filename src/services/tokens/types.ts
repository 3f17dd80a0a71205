import type { KeyObject } from 'node:crypto';
import type { FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import type { Prisma } from '../../generated/sqlite/client.js';
import { secretSelect } from '../clients/secrets.js';

const mapperSelect = { id: true, name: true, protocol: true, protocolMapper: true, config: true } as const;

/** All of a client that decides what stands in its tokens, and how it proves who it is. */
export const clientSelect = {
  id: true,
  realmId: true,
  clientId: true,
  protocol: true,
  enabled: true,
  ...secretSelect,
  clientAuthenticatorType: true,
  publicClient: true,
  bearerOnly: true,
  consentRequired: true,
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  fullScopeAllowed: true,
  notBefore: true,
  rootUrl: true,
  redirectUris: true,
  webOrigins: true,
  attributes: true,
  authenticationFlowBindingOverrides: true,
  protocolMappers: { select: mapperSelect },
  serviceAccount: { select: { id: true } },
  scopes: {
    select: {
      optional: true,
      clientScope: {
        select: {
          id: true,
          name: true,
          protocol: true,
          attributes: true,
          protocolMappers: { select: mapperSelect },
          _count: { select: { scopeMappings: true } },
        },
      },
    },
  },
} as const satisfies Prisma.ClientSelect;

/** All of a user that decides about logins and tokens. */
export const userSelect = {
  id: true,
  username: true,
  email: true,
  emailVerified: true,
  firstName: true,
  lastName: true,
  enabled: true,
  createdTimestamp: true,
  notBefore: true,
  requiredActions: true,
  serviceAccountClientId: true,
  federationLink: true,
  federationId: true,
  attributes: { orderBy: { position: 'asc' }, select: { name: true, value: true } },
  _count: { select: { groups: true } },
  credentials: {
    where: { type: { in: ['password', 'otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes'] } },
    orderBy: { priority: 'asc' },
    select: { id: true, type: true, createdDate: true, credentialData: true, secretData: true },
  },
} as const satisfies Prisma.UserSelect;

/** A client with all that decides what stands in its tokens. */
export type TokenClient = Prisma.ClientGetPayload<{ select: typeof clientSelect }>;
/** A user with all that decides what stands in tokens, and how the user logs in. */
export type TokenUser = Prisma.UserGetPayload<{ select: typeof userSelect }> & {
  /** whether the user comes from a storage that is switched off, so that no password can be right */
  isSwitchedOff?: boolean;
};
/** A client scope of a client. */
export type TokenScope = TokenClient['scopes'][number]['clientScope'];
/** A protocol mapper of a client or client scope. */
export type TokenMapper = TokenClient['protocolMappers'][number];

export interface TokenRealm {
  id: string;
  name: string;
  enabled: boolean;
  settings: Record<string, unknown>;
  attributes: Record<string, unknown>;
  /** the user storages */
  components: readonly { id: string; config: unknown }[];
  /** the ways in which its clients can authenticate, by the flow for that; all of them if it is not said */
  clientAuthenticators?: ReadonlySet<string> | undefined;
}

/** A realm, and the client that was asked for if it is there. */
export interface Parties {
  realm: TokenRealm;
  client: TokenClient | undefined;
}

/** Finds the key that a token of a client names. */
export type ClientKeys = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<KeyObject | CryptoKey>;

/** A role as tokens name it. */
export interface TokenRole {
  id: string;
  name: string;
  /** clientId of the client that the role belongs to; nothing for a role of the realm */
  clientId: string | undefined;
}

/** The roles that a user has in effect, and which of them a client gets to see. */
export interface EffectiveRoles {
  /** the effective roles of the user, as far as they matter to the client, in the order of their names */
  held: readonly TokenRole[];
  /** those that the client with these client scopes may have in its tokens */
  within(client: Pick<TokenClient, 'id' | 'fullScopeAllowed'>, scopes: readonly TokenScope[]): readonly TokenRole[];
  /** whether the client scope may be used for the user: one with roles of its own needs one of them */
  permits(scope: TokenScope): boolean;
}

/** A group that the user is in, with what it and the groups above it say of the attributes that mappers ask for. */
export interface TokenGroup {
  path: string;
  /** values by attribute: its own, or else those of the nearest group above that has some */
  attributes: ReadonlyMap<string, readonly string[]>;
}

/** What a refresh needs of a session, with what the client has of it. */
export const sessionSelect = (clientId: string) =>
  ({
    id: true,
    realmId: true,
    startedAt: true,
    lastAccess: true,
    endsAt: true,
    offline: true,
    rememberMe: true,
    notes: true,
    user: { select: userSelect },
    clients: {
      where: { clientId },
      select: { id: true, startedAt: true, refreshToken: true, refreshUses: true, notes: true },
    },
  }) as const satisfies Prisma.UserSessionSelect;

/** A session with what its next tokens are made of. */
export interface SessionInUse {
  session: Prisma.UserSessionGetPayload<{ select: ReturnType<typeof sessionSelect> }>;
  /** nothing where the session is not of the user whom the token names */
  roles?: EffectiveRoles;
  groups?: readonly TokenGroup[];
}
