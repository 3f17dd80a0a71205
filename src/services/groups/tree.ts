import type { Db } from '../../database/db.js';
import { type FlatGroup, type FullGroup, full, groupsBelow, type TreePage, treesOf } from './store.js';

/** A group with all that is below it; with details in the full form. */
export interface GroupTree {
  id: string;
  name: string;
  path: string;
  details?: FullGroup;
  subGroups: GroupTree[];
  /** of the topmost group, where it was asked for alone */
  version?: number;
}

/** Attributes and roles of the rows, in one statement for all of them. */
async function detailsOf(db: Db, rows: FlatGroup[]): Promise<Map<string, FullGroup>> {
  if (rows.length === 0) return new Map();
  const found = await db.group.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, select: full });
  return new Map(found.map((group) => [group.id, group]));
}

/** Hangs every row below its parent. Rows keep their order; those whose parent is not there are left out. */
function grown(rows: FlatGroup[], root: string | null, details?: Map<string, FullGroup>): GroupTree[] {
  const nodes = new Map<string, GroupTree>();
  for (const { id, name, path } of rows) {
    const known = details?.get(id);
    nodes.set(id, { id, name, path, subGroups: [], ...(known && { details: known }) });
  }
  const top: GroupTree[] = [];
  for (const { id, parentId } of rows) {
    const node = nodes.get(id) as GroupTree;
    if (parentId === root) top.push(node);
    else if (parentId !== null) nodes.get(parentId)?.subGroups.push(node);
  }
  return top;
}

/** A page of the realm's groups as trees: one statement in the brief form, two in the full one. */
export async function trees(db: Db, realmId: string, page: TreePage, brief: boolean): Promise<GroupTree[]> {
  const rows = await treesOf(db, realmId, page);
  return grown(rows, null, brief ? undefined : await detailsOf(db, rows));
}

/** A group in its full form, with everything below it. */
export async function treeFrom(db: Db, group: FullGroup): Promise<GroupTree> {
  const { id, name, path, version } = group;
  const rows = await groupsBelow(db, id);
  return { id, name, path, version, details: group, subGroups: grown(rows, id, await detailsOf(db, rows)) };
}
