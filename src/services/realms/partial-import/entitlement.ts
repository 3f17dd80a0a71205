import { requireOrdinaryName } from '../../clients/entitlement.js';
import { accountsOf } from '../../clients/store.js';
import type { Context } from '../../core/context.js';
import type { Permit } from '../../core/ports.js';
import type { Target } from '../../core/target.js';
import { grantsOfProviders } from '../../identity-providers/entitlement.js';
import { usersOfProviders } from '../../identity-providers/store.js';
import { requireBelow, requireGrantable, requireUnrelated } from '../../permissions/access.js';
import { grantsOfLinks } from '../../users/entitlement.js';
import type { Draft } from '../assemble/draft.js';
import type { Replaced } from './rows.js';

/** Refuses to overwrite objects that the caller may not change or delete one by one. Called before they are deleted. */
export async function requireReplaceable(
  ctx: Context,
  target: Target,
  permit: Permit,
  { users, clients, roles, groups }: Replaced,
): Promise<void> {
  const accounts = accountsOf([...clients]);
  await requireUnrelated(ctx, target, permit, { roles: [...roles], clients: [...clients] });
  await requireBelow(ctx, target, permit, [...users]);
  if (clients.size > 0) await requireBelow(ctx, target, permit, accounts);
  await requireGrantable(ctx, target, permit, { roles: [...roles], groups: [...groups], use: 'settings' });
}

/** Refuses a file that grants roles, in any way, that the caller may not grant one by one. */
export async function requireImportable(
  ctx: Context,
  target: Target,
  permit: Permit,
  { rows, defaultGroups, input }: Draft,
): Promise<void> {
  const { realm } = target;
  const roles = new Set([
    ...rows.UserRole.map(({ roleId }) => roleId),
    ...rows.GroupRole.map(({ roleId }) => roleId),
    ...rows.CompositeRole.map(({ childId }) => childId),
  ]);
  // every user of the realm has these anyway
  roles.delete(realm.defaultRoleId ?? '');
  const groups = new Set(rows.UserGroup.map(({ groupId }) => groupId));
  for (const id of defaultGroups) groups.delete(id);
  await requireGrantable(ctx, target, permit, { roles: [...roles], groups: [...groups] });
  for (const { clientId } of rows.Client) requireOrdinaryName(permit, target, clientId);
  const linked = await grantsOfLinks(target, input.users ?? [], ctx);
  if (linked) await requireGrantable(ctx, target, permit, linked);
  const aliases = rows.IdentityProvider.map(({ alias }) => alias);
  if (aliases.length === 0) return;
  await requireBelow(ctx, target, permit, usersOfProviders(target, aliases));
  const mapped = await grantsOfProviders(ctx, target, aliases);
  if (mapped) await requireGrantable(ctx, target, permit, mapped);
}
