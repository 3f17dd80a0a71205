import { createHmac } from 'node:crypto';
import { withLeaves } from '../../core/json.js';
import { keyProviderType } from '../../keys/provider.js';
import type { RealmRows } from '../assemble/draft.js';
import { isOpen } from './assemble.js';
import { comparable, type Delta, entriesIn } from './delta.js';
import type { PlannedChange } from './describe.js';
import { type UnknownValue, unknownDigest } from './unknown-values.js';

/** A secret of the realm: one of its keys, independent of keys that are added. */
function keyOf({ Component }: RealmRows): string {
  const [first] = Component.filter(
    ({ providerType, secrets }) => providerType === keyProviderType && isOpen(secrets),
  ).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return JSON.stringify(comparable(entriesIn(first?.secrets)));
}

/** The digest of a plan with unknown values: it differs for other references. */
export function digestWithUnknown(digest: string, unknown: readonly UnknownValue[], before: RealmRows): string {
  const hash = createHmac('sha256', keyOf(before)).update(digest);
  for (const { path, reference } of unknown) hash.update(JSON.stringify([path, reference]));
  return `${unknownDigest}${hash.digest('hex')}`;
}

/**
 * The digest of a plan. It contains neither IDs of new objects, which are random, nor secrets in a form that could be
 * guessed. It uses a key of the realm, because more users see the digest of an apply than its changes: without the key
 * they could test guesses elsewhere.
 */
export function digestOf(
  changes: readonly PlannedChange[],
  { delta, before }: { delta: Delta; before: RealmRows },
): string {
  const created = new Set<unknown>();
  for (const { inserted } of delta.values()) for (const { id } of inserted) created.add(id);
  const hash = createHmac('sha256', keyOf(before));
  const withoutId = (leaf: unknown) => (created.has(leaf) ? null : (leaf ?? null));
  for (const { action, kind, key, fields } of changes) {
    const values = fields.map(({ path, before, after }) => [
      path,
      withLeaves(before, withoutId),
      withLeaves(after, withoutId),
    ]);
    hash.update(JSON.stringify([action, kind, key, values]));
  }
  return hash.digest('hex');
}
