import type { Db } from '../../database/db.js';
import type { RowId } from '../core/operation.js';
import type { ScopeOwner } from './locate.js';

/** The row that writers of the owner's mappers and roles queue for. */
export const ownerRow = ({ owner }: ScopeOwner): RowId => ({
  model: owner.kind === 'client' ? 'Client' : 'ClientScope',
  id: owner.id,
});

/** The owner has another version from now on. */
export async function ownerChanged(tx: Db, { owner }: ScopeOwner): Promise<void> {
  const change = { where: { id: owner.id }, data: { version: { increment: 1 } } };
  if (owner.kind === 'client') await tx.later.client.updateMany(change);
  else await tx.later.clientScope.updateMany(change);
}

/** What changed with the mappers or roles of the owner. */
export const ownerTouched = (_: unknown, { owner }: ScopeOwner): string[] => [`${owner.kind}:${owner.id}`];
