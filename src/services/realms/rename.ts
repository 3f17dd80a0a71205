import { ownMember } from '../core/json.js';

/** The columns of a client in which the realm's name may occur. */
export interface RenamedClient {
  clientId: string;
  baseUrl: string | null;
  redirectUris: unknown;
}

const pathsOf: Readonly<Record<string, (realm: string) => string>> = {
  account: (realm) => `/realms/${realm}/`,
  'account-console': (realm) => `/realms/${realm}/`,
  'security-admin-console': (realm) => `/admin/${realm}/`,
};

/** The clients whose URLs contain the name of their realm. */
export const clientsWithRealmInPath: readonly string[] = Object.keys(pathsOf);

/** The addresses of a built-in client after its realm was renamed. */
export function renamedAddresses(
  client: RenamedClient,
  from: string,
  to: string,
): { baseUrl: string | null; redirectUris: string[] } {
  const path = ownMember(pathsOf, client.clientId);
  const replace = (address: string) => (path ? address.replace(path(from), path(to)) : address);
  return {
    baseUrl: client.baseUrl === null ? null : replace(client.baseUrl),
    redirectUris: (client.redirectUris as string[]).map(replace),
  };
}
