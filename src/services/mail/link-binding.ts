import { createHash } from 'node:crypto';
import type { Db } from '../../database/db.js';

/**
 * The state that binds a link of a mail: the user's password and address when it was sent. It reveals nothing about the
 * password, and differs after each change. Passwords in directories cannot be read, so for users of a directory it
 * differs after any change of the user, as a new password is one.
 */
export async function accountMark(db: Db, userId: string): Promise<string> {
  const user = await db.user.findFirst({
    where: { id: userId },
    select: {
      email: true,
      federationLink: true,
      version: true,
      credentials: {
        where: { type: 'password' },
        orderBy: { priority: 'asc' },
        select: { id: true, createdDate: true, credentialData: true },
      },
    },
  });
  const passwords = user?.credentials.map(({ id, createdDate, credentialData }) => [
    id,
    String(createdDate),
    credentialData,
  ]);
  const inDirectory = user?.federationLink != null ? [user.federationLink, user.version] : [];
  const text = JSON.stringify([userId, user?.email, passwords, ...inDirectory]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
