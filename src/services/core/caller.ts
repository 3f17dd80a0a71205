/** The sender of a request, by its bearer token. */
export interface Caller {
  userId: string;
  username?: string;
  /** the realm that issued the token */
  realmId: string;
  realmName: string;
  /** `azp` of the token: the client that requested it */
  clientId: string;
  /** client roles in the token, by clientId: the limit of a client other than the admin tools */
  tokenRoles: Record<string, string[]>;
  realmRoles: string[];
  /** origins whose pages may read the answers to the client, as its token lists them */
  allowedOrigins?: string[];
  /** the session of the token; undefined for a service account */
  sessionId?: string | undefined;
  /** the kind of registration of a client that registers itself, if its sender is not a user */
  registration?: 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
}
