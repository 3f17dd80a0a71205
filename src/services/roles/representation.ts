import type { Prisma } from '../../generated/sqlite/client.js';
import { shapesOf, storedEncoder } from '../core/fields.js';
import { list, older, record, representation } from '../core/shape.js';
import { grouped, view } from '../core/view.js';
import { roleFields } from './fields.js';
import { brief, full } from './store.js';

export const RoleRepresentation = representation('RoleRepresentation', shapesOf(roleFields));

export const RolesRepresentation = representation('RolesRepresentation', {
  realm: list(RoleRepresentation),
  client: record(list(RoleRepresentation)),
  application: older(record(list(RoleRepresentation))),
});

/** The list of roles that mappings and composites take: they go by id. */
export const RoleList = list(RoleRepresentation);

export type BriefRole = Prisma.RoleGetPayload<{ select: typeof brief }>;
export type FullRole = Prisma.RoleGetPayload<{ select: typeof full }>;

const encodeStored = storedEncoder(roleFields);

/** Encodes a role without its attributes. */
export const encodeBriefRole = (role: BriefRole) =>
  Object.assign(encodeStored(role), {
    composite: role._count.composites > 0,
    clientRole: role.clientId !== null,
    containerId: role.container,
  });

/** Encodes a role with its attributes. */
export const encodeFullRole = (role: FullRole) =>
  Object.assign(encodeBriefRole(role), { attributes: grouped(role.attributes) });

export const briefRole = view<BriefRole>(RoleRepresentation, brief, encodeBriefRole);
export const fullRole = view<FullRole>(RoleRepresentation, full, encodeFullRole);
