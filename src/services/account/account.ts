import type { Context } from '../core/context.js';
import { members } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { forbidden, notFound, unauthenticated } from '../core/refusal.js';
import { effectiveRoles } from '../tokens/roles.js';
import type { UserTarget } from '../users/locate.js';
import { single } from '../users/store.js';

/** The client whose roles determine the actions of users on their own accounts. */
export const accountClient = 'account';

/** Roles of that client. */
export type AccountRole =
  | 'manage-account'
  | 'manage-account-links'
  | 'view-profile'
  | 'view-applications'
  | 'manage-consent'
  | 'view-consent'
  | 'delete-account';

/** The account of a user, for operations by the user. */
export interface Account extends UserTarget {
  /** the ID in tokens of the request's session; undefined if there is none */
  sid: string | undefined;
  /** names of the roles of the client `account` that the request may use */
  granted: ReadonlySet<string>;
  /** notes of the session: the factors of its login, and the user who impersonates */
  notes: Readonly<Record<string, unknown>>;
}

interface Asked {
  userId: string;
  sid: string | undefined;
  /** roles of the client `account` in the token of the request; undefined for a page, which may use all that the user has */
  named?: readonly string[] | undefined;
}

/**
 * The account of a user. A role counts if the user has it and the token names it. Throws 401 for an unknown user, and 404 if the
 * client `account` is missing or disabled.
 */
export async function accountOf(ctx: Context, realm: RealmRecord, { userId, sid, named }: Asked): Promise<Account> {
  const [user, client, session] = await Promise.all([
    ctx.db.user.findFirst({ where: { id: userId, realmId: realm.id }, select: single }),
    ctx.db.client.findUnique({
      where: { realmId_clientId: { realmId: realm.id, clientId: accountClient } },
      select: { id: true, enabled: true },
    }),
    sid === undefined
      ? null
      : ctx.db.userSession.findFirst({ where: { sid, userId, realmId: realm.id }, select: { notes: true } }),
  ]);
  if (!user) throw unauthenticated();
  if (!client?.enabled) throw notFound('The client `account` is missing or disabled');
  const { held } = await effectiveRoles(ctx.db, user.id, realm.id, { id: client.id, fullScopeAllowed: false });
  const own = held.filter(({ clientId }) => clientId === accountClient).map(({ name }) => name);
  const granted = new Set(named ? own.filter((name) => named.includes(name)) : own);
  return { realm, user, path: `users/${user.id}`, sid, granted, notes: members(session?.notes) };
}

/** Whether the request may use one of the roles. */
export const hasRole = ({ granted }: Pick<Account, 'granted'>, roles: readonly AccountRole[]): boolean =>
  roles.some((role) => granted.has(role));

/** Refuses requests without any of the roles. */
export function requireRole(account: Account, roles: readonly AccountRole[]): void {
  if (!hasRole(account, roles)) throw forbidden();
}

/** Whether an administrator acts for the user in this session. */
export const isImpersonated = ({ notes }: Pick<Account, 'notes'>): boolean => notes.IMPERSONATOR_ID !== undefined;

/** Refuses lasting changes by a user who impersonates another one: only the real user may make them. */
export function requireOwnSession(account: Account): void {
  if (isImpersonated(account)) throw forbidden('An administrator who acts for a user cannot change this');
}
