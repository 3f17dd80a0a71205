import type { NodeOf } from '../session/node.js';
import type { RoleDetailQuery } from './documents.js';

/** A role as its screen has loaded it. */
export type LoadedRole = NodeOf<RoleDetailQuery>;

type RoleNode = Pick<LoadedRole, 'id' | 'name' | 'client'>;

/** A role with its place in the picture, from the upper left corner. */
export interface Placed extends RoleNode {
  x: number;
  y: number;
}

/** The size of a role in the picture, and the distances to the next ones. */
export const box = { width: 200, height: 52, columnGap: 70, rowGap: 12 };

const mostInColumn = 40;

/** Places a role, those that contain it, and those that it contains, in columns from left to right. */
export function layoutOf(role: LoadedRole) {
  const parents = role.compositeOf?.nodes ?? [];
  const children = role.composites?.nodes ?? [];
  const links: [from: string, to: string][] = [
    ...parents.map(({ id }): [string, string] => [id, role.id]),
    ...children.flatMap((child): [string, string][] => [
      [role.id, child.id],
      ...(child.composites?.nodes.map(({ id }): [string, string] => [child.id, id]) ?? []),
    ]),
  ];
  const seen = new Set([role.id]);
  const isNew = ({ id }: RoleNode) => !seen.has(id) && Boolean(seen.add(id));
  const columns: RoleNode[][] = [
    parents.filter(isNew),
    [role],
    children.filter(isNew),
    children.flatMap(({ composites }) => composites?.nodes ?? []).filter(isNew),
  ].filter((column) => column.length > 0);
  const shown = columns.map((column) => column.slice(0, mostInColumn));
  const height = Math.max(...shown.map(({ length }) => length)) * (box.height + box.rowGap) - box.rowGap;
  const placed = new Map<string, Placed>();
  for (const [column, roles] of shown.entries())
    for (const [row, node] of roles.entries()) {
      const top = (height - roles.length * (box.height + box.rowGap) + box.rowGap) / 2;
      placed.set(node.id, {
        ...node,
        x: column * (box.width + box.columnGap),
        y: top + row * (box.height + box.rowGap),
      });
    }
  const known = (role.compositeOf?.totalCount ?? 0) + (role.composites?.totalCount ?? 0);
  return {
    placed,
    links: links.flatMap(([from, to]) => {
      const [start, end] = [placed.get(from), placed.get(to)];
      return start && end ? [{ start, end }] : [];
    }),
    width: shown.length * (box.width + box.columnGap) - box.columnGap,
    height,
    left: Math.max(known - parents.length - children.length, 0) + seen.size - placed.size,
  };
}
