import type { Prisma } from '../../generated/sqlite/client.js';
import { byRealm } from '../core/by-realm.js';
import type { Context } from '../core/context.js';
import { listsByKey } from '../core/lists-by-key.js';
import { list, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, invalid } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import type { KnownRequiredAction } from '../realms/defaults/required-actions.js';
import { encodeRequiredAction, type RequiredActionRow, requiredActionSelect, unregisteredActions } from './encode.js';
import { inLine, short } from './flows.js';
import type { RequiredActionTarget } from './locate.js';
import { NewRequiredAction, RequiredActionProviderRepresentation } from './representation.js';
import { lastPriority, moveRow } from './tree.js';

const lock = ({ action }: RequiredActionTarget) => ({ model: 'RequiredAction', id: action.id }) as const;
const touched = (_result: unknown, { realm }: Target): string[] => [`required-actions:${realm.id}`];

export const listRequiredActions = list({
  name: 'requiredAction.list',
  summary: 'Returns the required actions of a realm, ordered by priority.',
  allow: 'view:required-actions',
  model: 'RequiredAction',
  where: ({ realm }: Target): Prisma.RequiredActionWhereInput => ({ realmId: realm.id }),
  orderBy: [{ priority: 'asc' }, { alias: 'asc' }],
});

/** Required actions of the server that the realm does not have. */
export async function unregisteredIn(ctx: Context, realm: { id: string }, known?: readonly KnownRequiredAction[]) {
  const registered = byRealm(ctx, 'registered required actions', async (realmIds) => {
    const where = { realmId: { in: [...realmIds] } };
    const rows = await ctx.db.requiredAction.findMany({ where, select: { realmId: true, providerId: true } });
    return listsByKey(rows.map(({ realmId, providerId }) => [realmId, { providerId }]));
  });
  return unregisteredActions((await registered.load(realm.id)) ?? [], known);
}

export const listUnregistered = read({
  name: 'requiredAction.unregistered',
  summary: 'Returns the required actions that the server provides and the realm has not registered.',
  allow: 'view:realm',
  run: (ctx, { realm }: Target) => unregisteredIn(ctx, realm),
});

export const getRequiredAction = read({
  name: 'requiredAction.get',
  summary: 'Returns a required action.',
  allow: 'view:required-actions',
  run: async (_ctx, { action }: RequiredActionTarget) => action,
});

export const register = write({
  name: 'requiredAction.register',
  summary: 'Registers a required action with the alias of its provider: enabled, and ordered after all others.',
  input: NewRequiredAction,
  allow: 'manage:realm',
  queue: inLine,
  run: async (tx, { realm }: Target, { providerId, name }, { ctx }): Promise<RequiredActionRow> => {
    if (!providerId) throw invalid('`providerId` of the required action is required', 'providerId');
    short(providerId, 'providerId');
    const others = await tx.requiredAction.findMany({ where: { realmId: realm.id }, select: { priority: true } });
    const row = {
      id: ctx.services.newId(),
      alias: providerId,
      name: name ?? null,
      providerId,
      enabled: true,
      defaultAction: false,
      priority: lastPriority(others),
      config: {},
    };
    await tx.requiredAction.createMany({ data: { ...row, realmId: realm.id } });
    return { ...row, version: 0 };
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ providerId }) => `Required action ${providerId} already exists`,
  event: (action) => ({
    operationType: 'CREATE',
    resourceType: 'REQUIRED_ACTION',
    resourcePath: 'authentication/register-required-action',
    resourceId: action.id,
    representation: encodeRequiredAction(action),
  }),
  touches: touched,
});

export const updateRequiredAction = write({
  name: 'requiredAction.update',
  summary: 'Replaces the settings of a required action. Its provider cannot change.',
  input: RequiredActionProviderRepresentation,
  allow: 'manage:realm',
  lock,
  refresh: async (tx, target: RequiredActionTarget) => {
    const { id } = target.action;
    const action = await tx.requiredAction.findUnique({ where: { id }, select: requiredActionSelect });
    return { ...target, action: found(action, 'Failed to find required action') };
  },
  run: async (tx, { action }: RequiredActionTarget, input): Promise<RequiredActionRow> => {
    if (input.alias) short(input.alias, 'alias');
    const changed = {
      alias: input.alias || action.alias,
      name: input.name ?? null,
      enabled: input.enabled ?? false,
      defaultAction: input.defaultAction ?? false,
      priority: input.priority ?? 0,
      config: input.config ?? {},
    };
    await tx.later.requiredAction.updateMany({
      where: { id: action.id },
      data: { ...changed, version: { increment: 1 } },
    });
    return { ...action, ...changed };
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ alias }) => `Required action ${alias} already exists`,
  event: (action, { action: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'REQUIRED_ACTION',
    resourcePath: `authentication/required-actions/${before.alias}`,
    resourceId: before.id,
    representation: encodeRequiredAction(action),
    before: encodeRequiredAction(before),
  }),
  touches: touched,
});

export const patchRequiredAction = patchOf(updateRequiredAction, {
  current: ({ action }) => encodeRequiredAction(action),
  empty: { name: undefined, config: {} },
});

export const removeRequiredAction = write({
  name: 'requiredAction.delete',
  summary: 'Removes a required action from the realm. It can be registered again.',
  allow: 'manage:realm',
  lock,
  run: async (tx, { action }: RequiredActionTarget) => {
    await tx.later.requiredAction.deleteMany({ where: { id: action.id } });
    return action;
  },
  event: (action) => ({
    operationType: 'DELETE',
    resourceType: 'REQUIRED_ACTION',
    resourcePath: `authentication/required-actions/${action.alias}`,
    resourceId: action.id,
    before: encodeRequiredAction(action),
  }),
  touches: touched,
});

const moving = (way: 'raise' | 'lower', by: -1 | 1, summary: string) =>
  write({
    name: `requiredAction.${way}`,
    summary,
    allow: 'manage:realm',
    queue: inLine,
    lock,
    run: async (tx, { realm, action }: RequiredActionTarget): Promise<RequiredActionRow> => {
      const all = await tx.requiredAction.findMany({
        where: { realmId: realm.id },
        select: { id: true, priority: true },
      });
      const priority = await moveRow(tx, 'RequiredAction', all, action.id, by);
      await tx.later.requiredAction.updateMany({ where: { id: action.id }, data: { version: { increment: 1 } } });
      return { ...action, priority };
    },
    event: (action) => ({
      operationType: 'UPDATE',
      resourceType: 'REQUIRED_ACTION',
      resourcePath: `authentication/required-actions/${action.alias}/${way}-priority`,
      resourceId: action.id,
      representation: encodeRequiredAction(action),
    }),
    touches: touched,
  });

export const raiseRequiredAction = moving('raise', -1, 'Swaps a required action with the one before it.');
export const lowerRequiredAction = moving('lower', 1, 'Swaps a required action with the one after it.');
