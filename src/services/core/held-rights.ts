import type { Caller } from './caller.js';
import { adminRoles } from './permissions.js';

/** An administration role of a user: the right that it gives, and its name in tokens. */
export interface HeldRight {
  right: string;
  name: string;
  /** clientId of the client that has the role; null for a realm role */
  client: string | null;
}

/** The client of the administration console. */
export const adminConsole = 'security-admin-console';

/**
 * Clients whose tokens have all rights of the user. Tokens of other clients are limited to the roles that they name.
 */
export const adminTools: readonly string[] = ['admin-cli', adminConsole];

/** Whether tokens of this client have all rights of the user. */
export const isAdminTool = (clientId: string): boolean => adminTools.includes(clientId);

/** Whether a role is in the scope of the caller's token. A mapper may name any role there: it counts only for roles that are held. */
export const inToken = (
  { clientId, tokenRoles, realmRoles }: Caller,
  { name, client }: Pick<HeldRight, 'name' | 'client'>,
): boolean =>
  isAdminTool(clientId) || (client === null ? realmRoles.includes(name) : (tokenRoles[client] ?? []).includes(name));

/**
 * Whether the rights in a realm are complete. Rights in the master realm reach into every other realm: there, the
 * `admin` role decides.
 */
export const isWhole = (realm: { name: string }, rights: ReadonlySet<string>): boolean =>
  realm.name === 'master' ? rights.has('admin') : adminRoles.every((right) => rights.has(right));
