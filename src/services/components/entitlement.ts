import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import { requireWhole } from '../core/entitlement.js';
import type { Grants } from '../core/grants.js';
import type { Permit } from '../core/ports.js';
import { userStorage } from '../core/realm.js';
import { invalid } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { keyProviderType } from '../keys/provider.js';
import { type Config, flagOf, storageMapper } from '../user-storage/config.js';
import { grantsOfMappers, grantsOfStorages } from '../user-storage/gives.js';
import { grantableBy, renewGrantable } from '../user-storage/grantable.js';
import type { ComponentTarget } from './locate.js';
import type { ComponentInput } from './representation.js';

interface UsersOfStorages {
  of: 'storage';
  ids: string[];
}

interface Kind {
  providerType?: string | undefined;
  providerId?: string | undefined;
}

/** Keys sign the tokens of everybody in the realm: only those who may do everything there may supply, change or remove them. */
export function requireKeyRights(permit: Permit, target: Target, { providerType }: Kind): void {
  if (providerType === keyProviderType) requireWhole(target, permit);
}

/** Refuses to make something else of a component: its settings, secrets among them, are those of its kind. */
export function requireSameKind({ component }: ComponentTarget, { providerType, providerId }: Kind): void {
  if (providerType !== undefined && providerType !== component.providerType) {
    throw invalid('`providerType` of a component cannot be changed', 'providerType');
  }
  if (providerId !== undefined && providerId !== component.providerId) {
    throw invalid('`providerId` of a component cannot be changed', 'providerId');
  }
}

/** What users get by a new component. */
export const grantsOfNew = async (
  target: Target,
  { providerType, providerId = '', config = {} }: ComponentInput,
  ctx: Context,
): Promise<Grants | undefined> =>
  providerType === storageMapper ? grantsOfMappers(ctx, target, [{ providerId, config }]) : undefined;

/** What users get, or may get from another directory, by a component that is changed. */
export const grantsOfChanged = async (
  target: ComponentTarget,
  { config = {} }: ComponentInput,
  ctx: Context,
): Promise<Grants | undefined> => {
  const { id, providerType, providerId, config: before } = target.component;
  if (providerType === userStorage) return grantsOfStorages(ctx, target, [id]);
  if (providerType !== storageMapper) return undefined;
  const after = Object.entries({ ...(before as Config), ...config }).filter(([, [value]]) => value);
  return grantsOfMappers(ctx, target, [{ providerId, config: Object.fromEntries(after) }]);
};

/** Whether a user storage is disabled after an update: its users cannot log in. */
export const disablesStorage = ({ component }: ComponentTarget, { config = {} }: ComponentInput): boolean =>
  component.providerType === userStorage && !flagOf(config, 'enabled', true);

/** The users whose account a storage, or a mapper of one, decides about. */
export function usersOfComponent({ component }: ComponentTarget): UsersOfStorages | undefined {
  const { id, providerType, parentId } = component;
  if (providerType === userStorage) return { of: 'storage', ids: [id] };
  return usersOfNew(undefined, { providerType, parentId: parentId ?? undefined });
}

/** The users whose account a new component decides about: a new storage has none. */
export const usersOfNew = (
  _target: unknown,
  { providerType, parentId }: Pick<ComponentInput, 'providerType' | 'parentId'>,
): UsersOfStorages | undefined =>
  providerType === storageMapper && parentId !== undefined ? { of: 'storage', ids: [parentId] } : undefined;

/** The users whose account a storage, or a mapper of one, decides about before and after a change, which may move it. */
export function usersOfChanged(target: ComponentTarget, { parentId }: ComponentInput): UsersOfStorages | undefined {
  const before = usersOfComponent(target);
  const { providerType, parentId: known } = target.component;
  const after = parentId === (known ?? undefined) ? undefined : usersOfNew(undefined, { providerType, parentId });
  return before && after ? { of: 'storage', ids: [...before.ids, ...after.ids] } : (before ?? after);
}

interface Stored {
  id: string;
  providerType: string;
  providerId: string;
  config: unknown;
}

/**
 * What is to be kept with a component that is created or changed of what its directory may give; nothing for one that is no
 * mapper. Decides anew about the mappers of a storage.
 */
export async function grantableColumn(
  ctx: Context,
  tx: Db,
  target: Target,
  { id, providerType, providerId, config }: Stored,
): Promise<{ grantable?: string[] }> {
  if (providerType === userStorage) await renewGrantable(ctx, tx, target, id);
  if (providerType !== storageMapper) return {};
  return { grantable: await grantableBy(ctx, target, { providerId, config: config as Config }) };
}
