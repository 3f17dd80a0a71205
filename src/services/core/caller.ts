/** Who sends a request, as its bearer token says. */
export interface Caller {
  userId: string;
  username?: string;
  /** the realm that issued the token */
  realmId: string;
  realmName: string;
  /** `azp` of the token: the client that asked for it */
  clientId: string;
  /** client roles in the token, by clientId: the limit of a client other than the admin tools */
  tokenRoles: Record<string, string[]>;
  realmRoles: string[];
  /** origins whose pages may read the answers to the client, as its token lists them */
  allowedOrigins?: string[];
  /** the session that the token belongs to; a service account has none */
  sessionId?: string | undefined;
  /** how a client that registers itself was let in, where its sender is no user */
  registration?: 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
}
