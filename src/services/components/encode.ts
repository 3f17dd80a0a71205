import type { Prisma } from '../../generated/sqlite/client.js';
import { view } from '../core/view.js';
import { shownConfig } from './providers.js';
import { ComponentRepresentation } from './representation.js';

export const componentSelect = {
  id: true,
  name: true,
  providerId: true,
  providerType: true,
  parentId: true,
  subType: true,
  config: true,
  version: true,
} as const satisfies Prisma.ComponentSelect;

export type ComponentRow = Prisma.ComponentGetPayload<{ select: typeof componentSelect }>;

/** ComponentRepresentation. The column `config` holds masks in the place of secrets already, and no generated keys. */
export const encodeComponent = (row: ComponentRow) => ({
  id: row.id,
  ...(row.name !== null && { name: row.name }),
  providerId: row.providerId,
  providerType: row.providerType,
  parentId: row.parentId,
  ...(row.subType !== null && { subType: row.subType }),
  config: shownConfig(row.providerType, row.providerId, row.config),
});

export const componentView = view<ComponentRow>(ComponentRepresentation, componentSelect, encodeComponent);

/** Which components a list shows: `parent`, `type` and `name` of the contract. */
export const componentFilter = (
  realmId: string,
  filter: { parent?: string | undefined; type?: string | undefined; name?: string | undefined },
): Prisma.ComponentWhereInput => ({
  realmId,
  ...(filter.parent !== undefined && { parentId: filter.parent }),
  ...(filter.type !== undefined && { providerType: filter.type }),
  ...(filter.name !== undefined && { name: filter.name }),
});
