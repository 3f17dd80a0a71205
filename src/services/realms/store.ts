import type { Db, ModelName } from '../../database/db.js';
import type { RealmRows } from './build/draft.js';

type Insert = { createMany(args: { data: unknown[] }): Promise<unknown> };

/** Inserts all rows of a realm, one statement for each table that has any. */
export async function insertRealm(tx: Db, rows: RealmRows): Promise<void> {
  const { Realm, ...rest } = rows;
  await tx.realm.createMany({ data: Realm });
  for (const [name, data] of Object.entries(rest) as [ModelName, unknown[]][]) {
    if (data.length === 0) continue;
    const delegate = tx[(name.charAt(0).toLowerCase() + name.slice(1)) as keyof Db] as unknown as Insert;
    await delegate.createMany({ data });
  }
}
