import type { Prisma } from '../../generated/sqlite/client.js';
import { flag, ignored, list, listmap, older, record, representation, shortText, text, texts } from '../core/shape.js';
import { grouped, view } from '../core/view.js';
import { brief, full } from './store.js';

const RoleComposites = representation('RoleRepresentation-Composites', {
  realm: texts,
  client: listmap,
  application: older(listmap),
});

export const RoleRepresentation = representation('RoleRepresentation', {
  id: text,
  name: shortText,
  description: shortText,
  composite: flag,
  clientRole: flag,
  containerId: text,
  attributes: listmap,
  composites: RoleComposites,
  scopeParamRequired: ignored,
});

export const RolesRepresentation = representation('RolesRepresentation', {
  realm: list(RoleRepresentation),
  client: record(list(RoleRepresentation)),
  application: older(record(list(RoleRepresentation))),
});

/** The list of roles that mappings and composites take: they go by id. */
export const RoleList = list(RoleRepresentation);

export type BriefRole = Prisma.RoleGetPayload<{ select: typeof brief }>;
export type FullRole = Prisma.RoleGetPayload<{ select: typeof full }>;

/** Encodes a role without its attributes. */
export const encodeBriefRole = (role: BriefRole) => ({
  id: role.id,
  name: role.name,
  description: role.description ?? undefined,
  composite: role._count.composites > 0,
  clientRole: role.clientId !== null,
  containerId: role.container,
});

/** Encodes a role with its attributes. */
export const encodeFullRole = (role: FullRole) =>
  Object.assign(encodeBriefRole(role), { attributes: grouped(role.attributes) });

export const briefRole = view<BriefRole>(RoleRepresentation, brief, encodeBriefRole);
export const fullRole = view<FullRole>(RoleRepresentation, full, encodeFullRole);
