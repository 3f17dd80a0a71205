import type { Database, Db } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import { DatabaseUnusable } from '../../database/unusable.js';
import { createSealer, isPlain, type SealingKeys } from '../core/seal.js';
import type { Place } from '../core/sealed-columns.js';
import { inTransaction } from '../core/unit-of-work.js';
import { objectColumns, placeIn, sealedMembers, sealedObjects, sealedTexts, textColumns } from './store.js';

/** The ID of the single row of SecretsKeyCheck. */
export const checkId = 'secrets';
/** The sealed text if older versions may have sealed secrets of the database without binding them to their place. */
export const unboundText = 'sealed with the key of this database';
/** The sealed text if each secret of the database is bound to its place. */
export const boundText = 'sealed with the key of this database, each secret for its place';
/** The place where the sealed text is stored. */
export const checkPlace: Place = { model: 'SecretsKeyCheck', id: checkId, field: 'value' };

const command = 'npm run rotate-secrets-key';

const wrongKey = () =>
  new DatabaseUnusable(
    `SECRETS_KEY is not the key that the secrets in the database are encrypted with; to change the key, set the one before as SECRETS_KEY_PREVIOUS and run \`${command}\`.`,
  );

/** A stored text that the keys open. Throws DatabaseUnusable. */
function requireOpens(stored: string, place: Place, keys: SealingKeys): string {
  if (isPlain(stored) && keys.key !== undefined) {
    throw new DatabaseUnusable(
      `SECRETS_KEY is set, but the database holds secrets that are not encrypted; run \`${command}\` once to encrypt them.`,
    );
  }
  if (!isPlain(stored) && keys.key === undefined) {
    throw new DatabaseUnusable('The secrets in the database are encrypted, but SECRETS_KEY is not set.');
  }
  try {
    return createSealer(keys, { opensUnbound: true }).open(stored, place);
  } catch {
    throw wrongKey();
  }
}

interface Sample {
  place: Place;
  stored: string;
}

/** One sealed text of each column, enough to check a key that was never recorded. */
async function samples(db: Db): Promise<Sample[]> {
  const found: Sample[] = [];
  for (const column of textColumns) {
    for (const { value, ...row } of await sealedTexts(db, column, '', 1)) {
      found.push({ place: placeIn(column.model, column.column, row), stored: value });
    }
  }
  for (const column of objectColumns) {
    for (const { value, ...row } of await sealedObjects(db, column, '', 1)) {
      for (const [name, stored] of sealedMembers(value)) {
        found.push({ place: placeIn(column.model, `${column.column}.${name}`, row), stored });
      }
    }
  }
  return found;
}

/** How the secrets of a database are sealed. */
export interface SealedForm {
  /** whether secrets that older versions have sealed may be there, which are bound to no place */
  readonly opensUnbound: boolean;
}

/**
 * Reads the record of how the secrets of a database are sealed; undefined if there is none. Throws DatabaseUnusable.
 */
export async function recordedForm(db: Db, keys: SealingKeys): Promise<SealedForm | undefined> {
  const row = await db.secretsKeyCheck.findUnique({ where: { id: checkId }, select: { value: true } });
  return row ? { opensUnbound: requireOpens(row.value, checkPlace, keys) !== boundText } : undefined;
}

/**
 * Refuses a database whose secrets the configured key cannot open, or that holds secrets in clear although a key is
 * configured. A database without a recorded key is checked, and the key is then recorded. Throws DatabaseUnusable.
 */
export async function requireKey(database: Database, keys: SealingKeys): Promise<SealedForm> {
  const known = await recordedForm(database.read, keys);
  if (known) return known;
  const found = await samples(database.read);
  for (const { stored, place } of found) requireOpens(stored, place, keys);
  const opensUnbound = found.length > 0;
  try {
    const value = createSealer(keys).seal(opensUnbound ? unboundText : boundText, checkPlace);
    await inTransaction(database, (tx) => tx.secretsKeyCheck.createMany({ data: { id: checkId, value } }));
  } catch (error) {
    // another instance that starts at the same time was first
    if (databaseFault(error)?.kind !== 'duplicate') throw error;
  }
  return { opensUnbound };
}
