import type { Fields } from '../core/fields.js';
import { flag, ignored, listmap, older, representation, shortText, text, texts } from '../core/shape.js';

const RoleComposites = representation('RoleRepresentation-Composites', {
  realm: texts,
  client: listmap,
  application: older(listmap),
});

/** The fields of a role. */
export const roleFields = {
  id: { shape: text, isStored: true, isFixed: true, description: 'ID of the role.' },
  name: {
    shape: shortText,
    isStored: true,
    description: 'Name of the role, unique in its realm or client.',
    graph: { isRequired: true, isFiltered: true, isOrdered: true },
  },
  description: {
    shape: shortText,
    isStored: true,
    isNullable: true,
    isReplaced: true,
    description: 'Description of the role.',
    graph: { isFiltered: true, isOrdered: true },
  },
  composite: { shape: flag, description: 'Whether the role includes other roles.' },
  clientRole: { shape: flag, description: 'Whether the role belongs to a client.' },
  containerId: { shape: text, description: 'ID of the realm or client that the role belongs to.' },
  attributes: { shape: listmap, description: 'Custom attributes of the role.', graph: {} },
  composites: { shape: RoleComposites, description: 'Names of the roles that the role includes, in files.' },
  scopeParamRequired: { shape: ignored },
} as const satisfies Fields;
