import type { Fields } from '../core/fields.js';
import { flag, listmap, long, record, shortText, text, texts } from '../core/shape.js';

/** The fields of a group besides its subgroups. */
export const groupFields = {
  id: { shape: text, isStored: true, isFixed: true, description: 'ID of the group.' },
  name: {
    shape: shortText,
    isStored: true,
    description:
      'Name of the group, unique among the groups with the same parent. A new name changes the paths of its subgroups.',
    graph: { isRequired: true, isFiltered: true, isOrdered: true },
  },
  path: {
    shape: text,
    isStored: true,
    isFixed: true,
    description: 'Names from the top level down to the group, each preceded by a slash, e.g. `/staff/night`.',
    graph: { inputs: 'none' },
  },
  attributes: { shape: listmap, description: 'Custom attributes of the group.', graph: {} },
  realmRoles: { shape: texts, description: 'Names of the realm roles that are mapped directly to the group.' },
  clientRoles: {
    shape: listmap,
    description: 'Names of the client roles that are mapped directly to the group, by clientId.',
  },
  access: { shape: record(flag), description: 'Actions that the caller may perform on the group.' },
  parentId: { shape: text, description: 'ID of the parent group. Missing at the top level.' },
  subGroupCount: { shape: long, description: 'Number of direct subgroups.' },
} as const satisfies Fields;
