import { type Json, keyed, listOf, type Mode } from './kinds.js';
import { type Merging, mergedList, nameKey } from './merge-list.js';

const childrenOf = (group: Json): Json[] => listOf(group, 'subGroups');

/** Every group of a tree with its path, from the top level down. */
function* groupsIn(groups: readonly Json[], above = ''): Generator<{ group: Json; path: string }> {
  for (const group of groups) {
    const path = `${above}/${keyed.group.key(group)}`;
    yield { group, path };
    yield* groupsIn(childrenOf(group), path);
  }
}

/** Returns the path of a group after the change for its path before it: undefined for deleted groups. */
export function groupPaths(current: Json, desired: Json): (path: string) => string | undefined {
  const ids = new Map([...groupsIn(listOf(current, 'groups'))].map(({ group, path }) => [path, group.id]));
  const paths = new Map([...groupsIn(listOf(desired, 'groups'))].map(({ group, path }) => [group.id, path]));
  return (path) => (ids.has(path) ? paths.get(ids.get(path)) : path);
}

interface Node {
  object: Json;
  children: Node[];
  parent: Node | undefined;
}

const nodeOf = (object: Json, parent?: Node): Node => {
  const node: Node = { object, children: [], parent };
  node.children = childrenOf(object).map((child) => nodeOf(child, node));
  return node;
};

/**
 * A group whose tree did not change stays the same object: that distinguishes lists of the realm from lists of the
 * file.
 */
const objectOf = ({ object, children }: Node): Json => {
  const own = childrenOf(object);
  const next = children.map(objectOf);
  const isSame = own.length === next.length && own.every((child, at) => child === next[at]);
  return isSame ? object : { ...object, subGroups: next };
};

/**
 * The groups of a realm, where groups that the file moves, by their IDs, are at their new places. They keep their
 * members, and everything that the file does not mention.
 */
function movedGroups(current: Json, given: Json, { names, formerNames }: Merging): Json[] {
  const top: Node = { object: {}, children: [], parent: undefined };
  top.children = listOf(current, 'groups').map((group) => nodeOf(group, top));
  const byId = new Map<unknown, Node>();
  const collect = (node: Node): void => {
    byId.set(node.object.id, node);
    node.children.forEach(collect);
  };
  top.children.forEach(collect);
  const placed = new Set<Node>();
  const place = (groups: readonly Json[], parent: Node, field: string): void => {
    const byName = new Map<unknown, Node>(parent.children.map((child) => [keyed.group.key(child.object), child]));
    for (const [index, group] of groups.entries()) {
      const at = `${field}.${index}`;
      const own = typeof group.id === 'string' ? byId.get(group.id) : undefined;
      const node = own ?? byName.get(keyed.group.key(group)) ?? byName.get(formerNames.get(at));
      if (!node || placed.has(node)) continue;
      placed.add(node);
      if (node.parent !== parent) {
        const before = node.parent;
        if (before) before.children = before.children.filter((child) => child !== node);
        node.parent = parent;
        parent.children.push(node);
        names.changed.set(nameKey('Group', keyed.group.key(node.object), 'moved'), keyed.group.key(node.object));
      }
      place(childrenOf(group), node, `${at}.subGroups`);
    }
  };
  place(listOf(given, 'groups'), top, 'groups');
  return top.children.map(objectOf);
}

function mergedTree(current: Json[], given: Json[], path: string, field: string, mode: Mode, to: Merging): Json[] {
  const merge = (was: Json, next: Json, place: string): Json => ({
    ...was,
    ...next,
    ...(next.subGroups !== undefined && {
      subGroups: mergedTree(
        childrenOf(was),
        childrenOf(next),
        `${path}/${keyed.group.key(was)}`,
        `${place}.subGroups`,
        mode,
        to,
      ),
    }),
  });
  return mergedList(current, given, { keyed: keyed.group, mode, field, container: path, merge }, to);
}

/** The desired groups of a realm. In the mode `ADD` none is moved. */
export const mergedGroups = (current: Json, given: Json, mode: Mode, to: Merging): Json[] =>
  mergedTree(
    mode === 'ADD' ? listOf(current, 'groups') : movedGroups(current, given, to),
    listOf(given, 'groups'),
    '',
    'groups',
    mode,
    to,
  );
