import type { Db } from '../../database/db.js';
import { members, numberOf } from '../core/json.js';
import type { Refusal } from '../core/refusal.js';
import { invalidGrant } from './oauth-error.js';
import { found, type Grant } from './steps.js';

/**
 * Counts the use of a refresh token where the realm has each used only so often, and notes its successor. A token that is
 * used too often ends what its client has of the session, as it may be in other hands (RFC 6749 section 10.4). Returns the
 * refusal instead of throwing it, since that end has to be stored.
 */
export async function rotate(tx: Db, grant: Grant): Promise<Refusal | undefined> {
  const { realm, usedToken, refreshTokenId = null } = grant;
  const id = found(grant.session).stored?.clientSessionId;
  if (realm.settings.revokeRefreshToken !== true || !usedToken || id === undefined) return undefined;
  const select = { refreshToken: true, refreshUses: true, notes: true } as const;
  const part = await tx.clientSession.findUnique({ where: { id }, select });
  if (!part) return invalidGrant('Session not active');
  const notes = members(part.notes);
  const again = notes.usedToken === usedToken.id;
  // nothing is known of the tokens from before the realm asked for it
  const isNewest = part.refreshToken === null || part.refreshToken === usedToken.id;
  if (!isNewest && !again) return invalidGrant('Stale token');
  const uses = again ? part.refreshUses + 1 : 1;
  if (uses > numberOf(realm.settings, 'refreshTokenMaxReuse', 0) + 1) {
    await tx.clientSession.deleteMany({ where: { id } });
    return invalidGrant('Maximum allowed refresh token reuse exceeded');
  }
  const { count } = await tx.clientSession.updateMany({
    where: { id, refreshToken: part.refreshToken, refreshUses: part.refreshUses },
    data: { refreshToken: refreshTokenId, refreshUses: uses, notes: { ...notes, usedToken: usedToken.id } as object },
  });
  // somebody else has used it since it was read
  return count === 1 ? undefined : invalidGrant('Stale token');
}
