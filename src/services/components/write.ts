import type { Db } from '../../database/db.js';
import { takenIds } from '../../database/taken-ids.js';
import { write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { type RealmRecord, userStorage } from '../core/realm.js';
import { found, invalid, notFound } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { keyProviderType } from '../keys/provider.js';
import { defaultMappers } from '../user-storage/default-mappers.js';
import { removeUsersOf } from '../user-storage/store.js';
import { checked } from './checks.js';
import { type ComponentRow, componentSelect, encodeComponent } from './encode.js';
import {
  disablesStorage,
  grantableColumn,
  grantsOfChanged,
  grantsOfNew,
  requireKeyRights,
  requireSameKind,
  usersOfChanged,
  usersOfComponent,
  usersOfNew,
} from './entitlement.js';
import type { ComponentTarget } from './locate.js';
import { ComponentRepresentation } from './representation.js';
import { withoutGenerated } from './secrets.js';
import {
  changed,
  columnsOf,
  type Kind,
  openedConfig,
  requireOwnPlace,
  requireProvider,
  suppliedAnew,
  suppliedKeys,
  withoutOutdatedKeys,
} from './settings.js';
import { isAtOrBelow, removeWithAllBelow } from './store.js';

const touched = ({ providerType }: Kind, { realm }: Target) => [
  `components:${realm.id}`,
  ...(providerType === userStorage ? [`realm:${realm.id}`] : []),
  ...(providerType === keyProviderType ? [`keys:${realm.id}`] : []),
];

/**
 * Refuses a parent of another realm, and one that is the component itself or below it: nothing would show either of them again. As
 * recorded, a parent that is nowhere, or the name of the realm, is kept as it is.
 */
async function requireOwnParent(
  tx: Db,
  realm: RealmRecord,
  { id, parentId }: { id: string; parentId: string | undefined },
): Promise<void> {
  if (parentId === undefined || parentId === realm.id || parentId === realm.name) return;
  if (await isAtOrBelow(tx, realm.id, parentId, id))
    throw invalid('`parentId` must not be the component itself or one below it', 'parentId', { code: 'CYCLE' });
  const own = await tx.component.count({ where: { id: parentId, realmId: realm.id } });
  if (own > 0 || (await takenIds(tx, [parentId])).size === 0) return;
  throw invalid('`parentId` must be the ID of a component of the realm', 'parentId');
}

export const create = write({
  name: 'component.create',
  summary: 'Creates a component. A key provider generates its keys when they are first needed.',
  input: ComponentRepresentation,
  allow: 'manage:realm',
  actsOn: usersOfNew,
  grants: grantsOfNew,
  check: (permit, target: Target, input) => {
    requireKeyRights(permit, target, requireProvider(input));
  },
  prepare: (ctx, target, input) => suppliedKeys(ctx, target, requireProvider(input), input.config ?? {}),
  run: async (tx, target, input, { ctx, prepared }): Promise<ComponentRow> => {
    const { realm } = target;
    const { sealer, newId } = ctx.services;
    const kind = requireProvider(input);
    const id = await ownId(tx, input.id, ctx.services);
    await requireOwnParent(tx, realm, { id, parentId: input.parentId });
    const sent = withoutGenerated(kind.providerType, kind.providerId, input.config ?? {});
    const parentId = input.parentId ?? realm.id;
    const config = { ...(await checked(tx, realm, { ...kind, parentId, config: changed({}, sent) })), ...prepared };
    const row = {
      id,
      name: input.name ?? null,
      ...kind,
      parentId,
      subType: input.subType ?? null,
    };
    const columns = columnsOf({ ...row, realmId: realm.id }, config, sealer);
    const belonging = kind.providerType === userStorage && kind.providerId === 'ldap' ? defaultMappers(config) : [];
    const mappers = belonging.map((mapper) => ({ id: newId(), ...mapper, parentId: row.id, realmId: realm.id }));
    // under an id that the caller chose there may be mappers already
    const grantable = await grantableColumn(ctx, tx, target, { ...row, config: columns.config });
    await tx.component.createMany({ data: [{ ...row, realmId: realm.id, ...columns, ...grantable }, ...mappers] });
    return { ...row, config: columns.config, version: 0 };
  },
  refuses: ['CYCLE'],
  conflict: ({ id }) => `Component ${id} already exists`,
  event: (row) => ({
    operationType: 'CREATE',
    resourceType: 'COMPONENT',
    resourcePath: `components/${row.id}`,
    representation: encodeComponent(row),
  }),
  touches: touched,
});

const lock = ({ component }: ComponentTarget) => ({ model: 'Component' as const, id: component.id });

export const update = write({
  name: 'component.update',
  summary: 'Changes the given settings of a component. Keys are generated again if their size or curve changes.',
  input: ComponentRepresentation,
  allow: 'manage:realm',
  takesRights: disablesStorage,
  actsOn: usersOfChanged,
  grants: grantsOfChanged,
  lock,
  refresh: async (tx, target: ComponentTarget) => {
    const { id } = target.component;
    const component = await tx.component.findUnique({ where: { id }, select: componentSelect });
    return { ...target, component: found(component, 'Could not find component') };
  },
  check: (permit, target: ComponentTarget, input) => {
    const { config, providerType, providerId } = input;
    // a body with none of them is a mistake
    if (config === undefined && (providerType === undefined || providerId === undefined)) {
      throw invalid('`providerId` or `config` of the component is required', 'providerId');
    }
    requireKeyRights(permit, target, target.component);
    requireSameKind(target, input);
  },
  prepare: (ctx, target: ComponentTarget, input) => suppliedAnew(ctx, target, input),
  run: async (tx, target, input, { ctx, prepared }): Promise<ComponentRow> => {
    const { realm, component } = target;
    const { sealer } = ctx.services;
    const row = await tx.component.findUnique({
      where: { id: component.id },
      select: { ...componentSelect, secrets: true },
    });
    if (!row) throw notFound('Could not find component');
    if (input.parentId !== row.parentId) await requireOwnParent(tx, realm, { id: row.id, parentId: input.parentId });
    const { secrets, ...before } = row;
    const whole = openedConfig({ ...row, realmId: realm.id }, sealer);
    const kind = requireProvider({
      providerType: input.providerType ?? before.providerType,
      providerId: input.providerId ?? before.providerId,
    });
    const sent = withoutGenerated(kind.providerType, kind.providerId, input.config ?? {});
    const given = changed(whole, sent);
    requireOwnPlace(kind, whole, given, sent);
    const parentId = input.parentId ?? before.parentId;
    const config = await checked(tx, realm, { ...kind, parentId, config: { ...given, ...prepared } });
    const current = withoutOutdatedKeys(ctx, { ...before, config: whole }, { ...kind, config });
    const columns = columnsOf({ ...kind, id: component.id, realmId: realm.id }, current, sealer);
    const after = {
      ...before,
      ...kind,
      name: input.name ?? before.name,
      parentId,
      subType: input.subType ?? before.subType,
      config: columns.config,
    };
    const { id, ...data } = after;
    const grantable = await grantableColumn(ctx, tx, target, after);
    await tx.component.updateMany({
      where: { id },
      data: { ...data, secrets: columns.secrets, ...grantable, version: { increment: 1 } },
    });
    return { ...after, version: before.version + 1 };
  },
  refuses: ['SECRET_REQUIRED', 'CYCLE'],
  event: (row, { component }) => ({
    operationType: 'UPDATE',
    resourceType: 'COMPONENT',
    resourcePath: `components/${row.id}`,
    representation: encodeComponent(row),
    before: encodeComponent(component),
  }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ component }) => encodeComponent(component),
  empty: { name: '', config: {} },
  keepsRest: true,
  insists: { config: {} },
  mergedMaps: { config: [] },
});

export const remove = write({
  name: 'component.delete',
  summary: 'Deletes a component and the components below it.',
  allow: 'manage:realm',
  takesRights: true,
  actsOn: usersOfComponent,
  lock,
  check: (permit, target: ComponentTarget) => requireKeyRights(permit, target, target.component),
  run: async (tx, { realm, component }: ComponentTarget): Promise<ComponentRow> => {
    if (component.providerType === userStorage) await removeUsersOf(tx, component.id);
    await removeWithAllBelow(tx, realm.id, component.id);
    return component;
  },
  event: (row) => ({
    operationType: 'DELETE',
    resourceType: 'COMPONENT',
    resourcePath: `components/${row.id}`,
    before: encodeComponent(row),
  }),
  touches: touched,
});
