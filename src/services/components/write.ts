import { createPublicKey } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { takenIds } from '../../database/taken-ids.js';
import type { Context } from '../core/context.js';
import { mask } from '../core/mask.js';
import { write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { type RealmRecord, userStorage } from '../core/realm.js';
import { found, invalid, notFound } from '../core/refusal.js';
import { openedEntries, type Sealer, sealedEntries } from '../core/seal.js';
import { placeOfSecrets, type RowOfRealm } from '../core/sealed-columns.js';
import { requireSameDestination, secretKindOf } from '../core/stored-secrets.js';
import type { Target } from '../core/target.js';
import { selfSignedCertificate } from '../keys/certificate.js';
import { readPrivateKey } from '../keys/material.js';
import { keyProviderType, readProvider } from '../keys/provider.js';
import type { Config } from '../user-storage/config.js';
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
import { keysOfKeyStore } from './key-store-keys.js';
import type { ComponentTarget } from './locate.js';
import { isProvider } from './providers.js';
import { type ComponentInput, ComponentRepresentation } from './representation.js';
import { generatedNames, makesKeys, splitComponentConfig, withoutGenerated } from './secrets.js';
import { isAtOrBelow, removeWithAllBelow } from './store.js';

interface Kind {
  providerType: string;
  providerId: string;
}

const touched = ({ providerType }: Kind, { realm }: Target) => [
  `components:${realm.id}`,
  ...(providerType === userStorage ? [`realm:${realm.id}`] : []),
  ...(providerType === keyProviderType ? [`keys:${realm.id}`] : []),
];

function requireProvider({ providerType, providerId }: { [K in keyof Kind]?: string | undefined }): Kind {
  if (providerType === undefined || providerId === undefined || !isProvider(providerType, providerId)) {
    const body = { error: 'HTTP 400 Bad Request' };
    throw invalid('Provider not found', providerType === undefined ? 'providerType' : 'providerId', { body });
  }
  return { providerType, providerId };
}

/** A configuration with its secrets after a change: empty lists take entries out, masks leave secrets as they are. */
function changed(before: Config, given: Config): Config {
  const result = { ...before };
  for (const [name, values] of Object.entries(given)) {
    if (values.length === 0 || (values.length === 1 && values[0] === '')) delete result[name];
    else if (values[0] !== mask) result[name] = values;
  }
  return result;
}

/** What is stored of a configuration: open entries, and the others as one sealed text. */
function columnsOf(row: Kind & RowOfRealm, config: Config, sealer: Sealer) {
  const { config: open, secrets } = splitComponentConfig(row.providerType, row.providerId, config);
  return { config: open, secrets: sealedEntries(secrets, placeOfSecrets('Component', row), sealer) };
}

/**
 * What has to be made or read for supplied keys ahead of the transaction: a certificate for an RSA key that comes without
 * one, or what a key store holds.
 */
async function suppliedKeys(ctx: Context, { realm }: Target, kind: Partial<Kind>, config: Config): Promise<Config> {
  if (kind.providerType !== keyProviderType) return {};
  if (kind.providerId === 'java-keystore') return keysOfKeyStore(config, ctx.services.config.keyStoreFolder);
  const text = config.privateKey?.[0];
  if (kind.providerId !== 'rsa' || !text || text === mask || config.certificate?.[0]) return {};
  try {
    const privateKey = readPrivateKey(text);
    return { certificate: [await selfSignedCertificate(privateKey, createPublicKey(privateKey), realm.name)] };
  } catch {
    // the settings are looked at later, and refused
    return {};
  }
}

/** The settings of a component with its secrets. */
const openedConfig = (row: RowOfRealm & { config: unknown; secrets: string | null }, sealer: Sealer): Config => ({
  ...(row.config as Config),
  ...openedEntries<string[]>(row.secrets, placeOfSecrets('Component', row), sealer),
});

/** The same for an update, whose settings count on top of those that are there. */
async function suppliedAnew(ctx: Context, target: ComponentTarget, input: ComponentInput): Promise<Config> {
  const { component } = target;
  const kind = {
    providerType: input.providerType ?? component.providerType,
    providerId: input.providerId ?? component.providerId,
  };
  if (kind.providerId !== 'java-keystore') return suppliedKeys(ctx, target, kind, input.config ?? {});
  const row = await ctx.db.component.findUnique({
    where: { id: component.id },
    select: { config: true, secrets: true },
  });
  const placed = { id: component.id, realmId: target.realm.id };
  return row
    ? suppliedKeys(
        ctx,
        target,
        kind,
        changed(openedConfig({ ...row, ...placed }, ctx.services.sealer), input.config ?? {}),
      )
    : {};
}

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

/** Keys that were made with other settings than those that now hold are dropped, and made anew when they are needed. */
function withoutOutdatedKeys(
  ctx: Context,
  before: Kind & { config: Config },
  after: Kind & { config: Config },
): Config {
  const { sealer } = ctx.services;
  const shape = ({ providerId, config }: Kind & { config: Config }) => {
    const provider = readProvider({ id: '', realmId: '', providerId, config, secrets: null }, sealer);
    return provider && [provider.type, provider.size, provider.curve].join();
  };
  if (!makesKeys(after.providerType, after.providerId) || shape(before) === shape(after)) return after.config;
  return Object.fromEntries(Object.entries(after.config).filter(([name]) => !generatedNames.has(name)));
}

/** Refuses settings under which a secret that is not sent again would go elsewhere. */
function requireOwnPlace({ providerType, providerId }: Kind, before: Config, after: Config, sent: Config): void {
  const kind = secretKindOf(providerType, providerId);
  const isKept = (name: string) => before[name] !== undefined && [undefined, mask].includes(sent[name]?.[0]);
  if (kind) requireSameDestination(kind, { before, after, kept: (name) => isKept(name) && after[name] !== undefined });
}

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
