import type { Prisma } from '../../../generated/sqlite/client.js';
import type { Managed } from '../../core/managed.js';
import { int, long, map, representation, text } from '../../core/shape.js';
import { type View, view } from '../../core/view.js';
import { encodeAuthor } from '../desired/representation.js';
import { type AuthorNames, withAuthorNames } from './author-names.js';

/** The limits of a revert: the plan that the caller has seen, and how many objects it may delete. */
export const RealmRevertInput = representation('RealmRevertInput', {
  /** the digest of the plan to carry out */
  expectedDigest: text,
  /** how many objects may be deleted; 0 by default */
  allowDeletes: int,
});

/** Milliseconds for which an apply can be reverted. */
export const revertibleFor = 30 * 24 * 60 * 60 * 1000;

/** Until when an apply can be reverted, in milliseconds since 1970. */
export const revertibleUntil = ({ appliedAt }: { appliedAt: bigint }): number => Number(appliedAt) + revertibleFor;

/** The author of a change. The names are left out if the caller may not view the users of that realm. */
export const ChangeAuthor = representation('ChangeAuthor', {
  realmId: text,
  clientId: text,
  userId: text,
  username: text,
  serviceAccountClientId: text,
});

/** The columns to read of an apply: all but its inverse, which no caller may see. */
export const applySelect = {
  id: true,
  number: true,
  reverts: true,
  source: true,
  revision: true,
  digest: true,
  modes: true,
  created: true,
  updated: true,
  deleted: true,
  appliedAt: true,
  authRealmId: true,
  authClientId: true,
  authUserId: true,
} as const satisfies Prisma.RealmApplySelect;

export type ApplyRow = Prisma.RealmApplyGetPayload<{ select: typeof applySelect }>;

const RealmApplyRepresentation = representation('RealmApplyRepresentation', {
  id: text,
  number: int,
  reverts: int,
  source: text,
  revision: text,
  digest: text,
  modes: map,
  summary: representation('RealmApplySummary', { create: int, update: int, delete: int }),
  appliedAt: long,
  appliedBy: ChangeAuthor,
  revertibleUntil: long,
});

/** An apply as the history of a realm shows it. */
export const encodeApply = (row: ApplyRow & AuthorNames) => ({
  id: row.id,
  number: row.number,
  ...(row.reverts !== null && { reverts: row.reverts }),
  ...(row.source !== null && { source: row.source }),
  ...(row.revision !== null && { revision: row.revision }),
  digest: row.digest,
  modes: row.modes,
  summary: { create: row.created, update: row.updated, delete: row.deleted },
  appliedAt: Number(row.appliedAt),
  appliedBy: encodeAuthor(row),
  revertibleUntil: revertibleUntil(row),
});

/** An apply as the history of a realm shows it. */
export type ShownApply = ReturnType<typeof encodeApply>;

/** The form of an apply in the history of a realm. */
export const applyView: View<ApplyRow & AuthorNames> = {
  ...view<ApplyRow & AuthorNames>(RealmApplyRepresentation, applySelect, encodeApply),
  complete: withAuthorNames,
};

/** The file that a realm follows. */
export const RealmManagedRepresentation = representation('RealmManagedRepresentation', {
  source: text,
  revision: text,
  digest: text,
  appliedAt: long,
  appliedBy: ChangeAuthor,
});

/** The file that a realm follows, in the form of REST. */
export const encodeManaged = ({ source, revision, digest, appliedAt, ...by }: Managed, showsAuthor: boolean) => ({
  source,
  ...(revision !== undefined && { revision }),
  digest,
  appliedAt,
  ...(showsAuthor && { appliedBy: encodeAuthor(by) }),
});
