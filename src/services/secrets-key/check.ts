import type { Database, Db } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import { DatabaseUnusable } from '../../database/migrate.js';
import { createSealer, isPlain, type SealingKeys } from '../core/seal.js';
import { jsonColumns, jsonIds, sealedColumns, sealedMembers, sealedTexts } from './columns.js';

/** The id of the one row of SecretsKeyCheck. */
export const checkId = 'secrets';
/** What is sealed in it. */
export const checkText = 'sealed with the key of this database';

const command = 'npm run rotate-secrets-key';

const wrongKey = () =>
  new DatabaseUnusable(
    `SECRETS_KEY is not the key that the secrets in the database are encrypted with; to change the key, set the one before as SECRETS_KEY_PREVIOUS and run \`${command}\`.`,
  );

/** Refuses a stored text that the keys do not open. Throws DatabaseUnusable. */
function requireOpens(stored: string, keys: SealingKeys): void {
  if (isPlain(stored)) {
    if (keys.key === undefined) return;
    throw new DatabaseUnusable(
      `SECRETS_KEY is set, but the database holds secrets that are not encrypted; run \`${command}\` once to encrypt them.`,
    );
  }
  if (keys.key === undefined) {
    throw new DatabaseUnusable('The secrets in the database are encrypted, but SECRETS_KEY is not set.');
  }
  try {
    createSealer(keys).open(stored);
  } catch {
    throw wrongKey();
  }
}

/** One sealed text of each column; enough to know whether a key fits that was never recorded. */
async function samples(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const column of sealedColumns) for (const { value } of await sealedTexts(db, column, '', 1)) found.push(value);
  for (const column of jsonColumns) {
    const rows = await column.read(db, await jsonIds(db, column, '', 1));
    found.push(...rows.flatMap((row) => sealedMembers(row).map(([, value]) => value)));
  }
  return found;
}

/**
 * Refuses to work with a database whose secrets the configured key does not open, or that holds secrets in clear although
 * there is a key. A database that no key was recorded for is looked through, and then recorded. Throws DatabaseUnusable.
 */
export async function requireKey(database: Database, keys: SealingKeys): Promise<void> {
  const row = await database.read.secretsKeyCheck.findUnique({ where: { id: checkId }, select: { value: true } });
  if (row) return requireOpens(row.value, keys);
  for (const stored of await samples(database.read)) requireOpens(stored, keys);
  try {
    const value = createSealer(keys).seal(checkText);
    await database.transaction((tx) => tx.secretsKeyCheck.createMany({ data: { id: checkId, value } }));
  } catch (error) {
    // another instance that starts at the same time was first
    if (databaseFault(error)?.kind !== 'duplicate') throw error;
  }
}
