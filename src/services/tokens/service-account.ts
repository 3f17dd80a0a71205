import type { TokenClient, TokenUser } from './types.js';

type Client = Pick<TokenClient, 'id' | 'serviceAccountsEnabled' | 'publicClient'>;
type User = Pick<TokenUser, 'serviceAccountClientId'>;

/** Whether a token without a session is good: only one that a client got for its own service account. */
export const mayLackSession = (client: Client, user: User): boolean =>
  client.serviceAccountsEnabled && !client.publicClient && user.serviceAccountClientId === client.id;
