import type { Db } from '../../database/db.js';
import {
  type FlatGroup,
  type FullGroup,
  full,
  type GroupSearch,
  groupsBelow,
  searchedGroups,
  type TreePage,
  treesOf,
} from './store.js';

/** A group with all that is below it; with details in the full form. */
export interface GroupTree {
  id: string;
  name: string;
  path: string;
  details?: FullGroup;
  subGroups: GroupTree[];
  /** in a search of groups */
  search?: { parentId: string | null; count: number };
  /** of the topmost group, where it was asked for alone */
  version?: number;
}

/** Attributes and roles of the rows, in one statement for all of them. */
async function detailsOf(db: Db, rows: FlatGroup[]): Promise<Map<string, FullGroup>> {
  if (rows.length === 0) return new Map();
  const found = await db.group.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, select: full });
  return new Map(found.map((group) => [group.id, group]));
}

function nodeOf({ id, name, path, parentId, count }: FlatGroup, details?: Map<string, FullGroup>): GroupTree {
  const known = details?.get(id);
  const search = count === undefined ? undefined : { parentId, count };
  return { id, name, path, subGroups: [], ...(known && { details: known }), ...(search && { search }) };
}

/** Hangs every row below its parent. Rows keep their order; those whose parent is not there are left out. */
function grown(rows: FlatGroup[], root: string | null, details?: Map<string, FullGroup>): GroupTree[] {
  const nodes = new Map<string, GroupTree>();
  for (const row of rows) nodes.set(row.id, nodeOf(row, details));
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

/** The groups that a search finds: below those above them, or as a plain list. One statement in the brief form, two in the full one. */
export async function searchedTrees(
  db: Db,
  realmId: string,
  search: GroupSearch,
  brief: boolean,
): Promise<GroupTree[]> {
  const rows = await searchedGroups(db, realmId, search);
  const details = brief ? undefined : await detailsOf(db, rows);
  return search.withParents ? grown(rows, null, details) : rows.map((row) => nodeOf(row, details));
}

/** A group in its full form, with everything below it. */
export async function treeFrom(db: Db, group: FullGroup): Promise<GroupTree> {
  const { id, name, path, version } = group;
  const rows = await groupsBelow(db, id);
  return { id, name, path, version, details: group, subGroups: grown(rows, id, await detailsOf(db, rows)) };
}
