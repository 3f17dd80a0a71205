import { z } from 'zod';
import { shapesOf, storedEncoder } from '../core/fields.js';
import { described, type Input, list, representation } from '../core/shape.js';
import { grouped, type Seen, view } from '../core/view.js';
import { groupFields } from './fields.js';
import {
  type BriefChild,
  type BriefGroup,
  brief,
  briefChild,
  type FullGroup,
  full,
  type ListedChild,
  listedChild,
} from './store.js';
import type { GroupTree } from './tree.js';

const shapes = shapesOf(groupFields);
const flat = representation('GroupRepresentation', shapes);

export interface GroupInput extends Input<typeof flat> {
  subGroups?: GroupInput[] | undefined;
}

/** GroupRepresentation of the contract. `path`, `parentId`, and `subGroupCount` are answered and accepted, but computed from the tree. */
export const GroupRepresentation: z.ZodType<GroupInput> = representation('GroupRepresentation', {
  ...shapes,
  subGroups: described(list(z.lazy(() => GroupRepresentation)), 'Subgroups of the group.'),
});

const encodeBriefGroup = storedEncoder(groupFields);

/** The names of realm roles, and those of client roles by clientId. */
function roleNames(roles: FullGroup['roles']) {
  const rows = roles.map(({ role }) => ({
    name: role.client?.clientId ?? '',
    value: role.name,
    ofRealm: role.client === null,
  }));
  return {
    realmRoles: rows.filter(({ ofRealm }) => ofRealm).map(({ value }) => value),
    clientRoles: grouped(rows.filter(({ ofRealm }) => !ofRealm)),
  };
}

/** Encodes a group with its attributes and roles. */
export const encodeFullGroup = (group: FullGroup) =>
  Object.assign(encodeBriefGroup(group), { attributes: grouped(group.attributes) }, roleNames(group.roles));

/** What every form of a group has. */
interface EncodedTree {
  id: string;
  path: string;
  subGroups: EncodedTree[];
}

/** A group with its subgroups, each in the form that it was fetched in. */
export const encodeGroupTree = (node: GroupTree): EncodedTree =>
  Object.assign(node.details ? encodeFullGroup(node.details) : encodeBriefGroup(node), {
    subGroups: node.subGroups.map(encodeGroupTree),
  });

/** A group on its own, as users and roles show the groups that they are in. */
export const briefGroup = view<BriefGroup>(GroupRepresentation, brief, encodeBriefGroup);
export const fullGroup = view<FullGroup>(GroupRepresentation, full, encodeFullGroup);

const accessTo = (id: string, { permit }: Seen) => ({
  view: permit.may('view:groups', 'group', id),
  manage: permit.may('manage:groups', 'group', id),
  manageMembership: permit.may('manage-membership:groups', 'group', id),
});

/** The fields that version 26 of the contract adds: the parent of a group and the number of its direct subgroups. */
const placed = (id: string, { parentId, count }: NonNullable<GroupTree['search']>, seen: Seen) => ({
  ...(parentId !== null && { parentId }),
  subGroupCount: count,
  access: accessTo(id, seen),
});

/** A found group with those of its subgroups that were found. */
const encodeFound = (node: GroupTree, search: NonNullable<GroupTree['search']>, seen: Seen): EncodedTree =>
  Object.assign(node.details ? encodeFullGroup(node.details) : encodeBriefGroup(node), placed(node.id, search, seen), {
    subGroups: node.subGroups.map((inner) => encodeNode(inner, seen)),
  });

const encodeNode = (node: GroupTree, seen: Seen): EncodedTree =>
  node.search ? encodeFound(node, node.search, seen) : encodeGroupTree(node);

export const groupTree = view<GroupTree>(GroupRepresentation, {}, encodeNode);
/** The tree of one group that was asked for by id: it also tells what the caller may do. */
export const groupWithAccess = view<GroupTree>(GroupRepresentation, {}, (node, seen) => ({
  ...encodeGroupTree(node),
  access: accessTo(node.id, seen),
}));

const placedChild = ({ id, parentId, _count }: BriefChild, seen: Seen) => ({
  ...placed(id, { parentId, count: _count.children }, seen),
  subGroups: [],
});
/** A subgroup in the list of its parent. */
export const briefSubgroup = view<BriefChild>(GroupRepresentation, briefChild, (group, seen) =>
  Object.assign(encodeBriefGroup(group), placedChild(group, seen)),
);
export const fullSubgroup = view<ListedChild>(GroupRepresentation, listedChild, (group, seen) =>
  Object.assign(encodeFullGroup(group), placedChild(group, seen)),
);
