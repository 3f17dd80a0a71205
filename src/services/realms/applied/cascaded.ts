import type { Db, ModelName } from '../../../database/db.js';
import { type Delta, keyOfRow, type Row, type TableDelta } from '../desired/delta.js';

const idsOf = (delta: Delta, model: ModelName): string[] =>
  (delta.get(model)?.deleted ?? []).map(({ id }) => String(id));

/**
 * Adds the rows that the database deletes by cascade and that the plan has not read: users' links to deleted roles,
 * groups, and clients. At most one statement for each of these.
 */
export async function withCascaded(db: Db, delta: Delta): Promise<Delta> {
  const [roles, groups, clients] = [idsOf(delta, 'Role'), idsOf(delta, 'Group'), idsOf(delta, 'Client')];
  const found: [ModelName, Row[]][] = [
    ['UserConsent', clients.length > 0 ? await db.userConsent.findMany({ where: { clientId: { in: clients } } }) : []],
    ['UserGroup', groups.length > 0 ? await db.userGroup.findMany({ where: { groupId: { in: groups } } }) : []],
    ['UserRole', roles.length > 0 ? await db.userRole.findMany({ where: { roleId: { in: roles } } }) : []],
  ];
  const whole = new Map(delta);
  for (const [model, rows] of found) {
    const table: TableDelta = whole.get(model) ?? { inserted: [], updated: [], deleted: [] };
    // an updated row is not in the deleted rows, although it is deleted as well
    const known = new Set(
      [...table.deleted, ...table.updated.map(({ before }) => before)].map((row) => keyOfRow(model, row)),
    );
    const more = rows.filter((row) => !known.has(keyOfRow(model, row)));
    if (more.length > 0) whole.set(model, { ...table, deleted: [...table.deleted, ...more] });
  }
  return whole;
}
