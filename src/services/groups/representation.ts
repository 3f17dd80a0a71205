import { z } from 'zod';
import { shapesOf, storedEncoder } from '../core/fields.js';
import { described, type Input, list, representation } from '../core/shape.js';
import { grouped, view } from '../core/view.js';
import { groupFields } from './fields.js';
import { type BriefGroup, brief, type FullGroup, full } from './store.js';
import type { GroupTree } from './tree.js';

const shapes = shapesOf(groupFields);
const flat = representation('GroupRepresentation', shapes);

export interface GroupInput extends Input<typeof flat> {
  subGroups?: GroupInput[] | undefined;
}

/** GroupRepresentation of the contract. `path` is answered and accepted, but computed from the tree. */
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

export const groupTree = view<GroupTree>(GroupRepresentation, {}, encodeGroupTree);
/** The tree of one group that was asked for by id: it also tells what the caller may do. */
export const groupWithAccess = view<GroupTree>(GroupRepresentation, {}, (node, { permit }) => ({
  ...encodeGroupTree(node),
  access: {
    view: permit.may('view:groups', 'group', node.id),
    manage: permit.may('manage:groups', 'group', node.id),
    manageMembership: permit.may('manage-membership:groups', 'group', node.id),
  },
}));
