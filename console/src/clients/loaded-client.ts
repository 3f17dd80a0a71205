import type { ClientDetailQuery } from './documents.js';

/** A client as its screen has loaded it. */
type LoadedClient = Extract<NonNullable<ClientDetailQuery['node']>, { clientId: string }>;

/** What each tab of the screen gets. */
export interface ClientPart {
  client: LoadedClient;
  realm: string;
  /** what can be assigned */
  found: NonNullable<ClientDetailQuery['realm']>;
  reload(): void;
}
