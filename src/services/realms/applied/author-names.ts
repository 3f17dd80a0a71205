import type { Context } from '../../core/context.js';
import { permitFor } from '../../core/permit.js';

/** The author of a change, by IDs; empty texts if an event does not state them. */
export interface Author {
  authRealmId: string;
  authClientId: string;
  authUserId: string;
}

/** The names of an author. Undefined if the user was deleted, or if the caller may not view the users of that realm. */
export interface AuthorNames {
  username?: string;
  /** for a service account: the clientId of its client */
  serviceAccountClientId?: string;
}

/**
 * Adds the names of authors from realms whose users the caller may view. One statement, besides the statements for the
 * rights of the caller.
 */
export async function withAuthorNames<A extends Author>(
  ctx: Context,
  authors: readonly A[],
): Promise<(A & AuthorNames)[]> {
  const realms: string[] = [];
  for (const id of new Set(authors.map(({ authRealmId }) => authRealmId))) {
    const realm = await ctx.services.realms.byId(ctx.db, id);
    if (realm && (await permitFor(ctx, realm)).can('view:users')) realms.push(id);
  }
  if (realms.length === 0) return [...authors];
  const rows = await ctx.db.user.findMany({
    where: { id: { in: [...new Set(authors.map(({ authUserId }) => authUserId))] }, realmId: { in: realms } },
    select: { id: true, username: true, serviceAccountClient: { select: { clientId: true } } },
  });
  const names = new Map(
    rows.map(({ id, username, serviceAccountClient }): [string, AuthorNames] => [
      id,
      { username, ...(serviceAccountClient && { serviceAccountClientId: serviceAccountClient.clientId }) },
    ]),
  );
  return authors.map((author) => ({ ...author, ...names.get(author.authUserId) }));
}
