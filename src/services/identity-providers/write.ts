import type { Db } from '../../database/db.js';
import { clearable, newColumns } from '../core/fields.js';
import { mask } from '../core/mask.js';
import { write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { nextPosition } from '../core/position.js';
import type { RealmRecord } from '../core/realm.js';
import { found, invalid, notFound } from '../core/refusal.js';
import { openedEntries, type Sealer, sealedEntries } from '../core/seal.js';
import { placeOfSecrets, type RowOfRealm } from '../core/sealed-columns.js';
import { requireSameDestination } from '../core/stored-secrets.js';
import type { Target } from '../core/target.js';
import { requireBindable } from '../login/bindable.js';
import { firstBrokerLoginFlow } from '../realms/defaults/flows.js';
import { encodeIdentityProvider, type IdentityProviderRow, identityProviderSelect } from './encode.js';
import { grantsOfProviders } from './entitlement.js';
import { identityProviderFields } from './fields.js';
import { type IdentityProviderTarget, providerRow } from './locate.js';
import { type IdentityProviderInput, IdentityProviderRepresentation } from './representation.js';
import { splitProviderConfig } from './secrets.js';
import { checkAddresses, knownProvider, usableAlias, withHiding } from './settings.js';
import { usersOfProviders } from './store.js';

type Config = Record<string, string>;

const touched = (_row: unknown, { realm }: Target) => [`identity-providers:${realm.id}`, `realm:${realm.id}`];

const flowFields = [
  { field: 'firstBrokerLoginFlowAlias', purpose: 'firstBroker' },
  { field: 'postBrokerLoginFlowAlias', purpose: 'postBroker' },
] as const;

/** Refuses flows that the realm does not have, and new ones that lead to steps which this server does not have. */
async function requireFlows(
  tx: Db,
  realm: RealmRecord,
  input: IdentityProviderInput,
  before?: Pick<IdentityProviderRow, (typeof flowFields)[number]['field']>,
): Promise<void> {
  const named = flowFields.map(({ field }) => field).filter((field) => input[field]);
  if (named.length === 0) return;
  const aliases = named.map((field) => input[field] ?? '');
  const found = await tx.authenticationFlow.findMany({
    where: { realmId: realm.id, alias: { in: aliases } },
    select: { alias: true },
  });
  const missing = named.find((field) => !found.some(({ alias }) => alias === input[field]));
  if (missing) throw invalid(`Authentication flow "${input[missing]}" not found`, missing);
  const changed = flowFields.flatMap(({ field, purpose }) => {
    const flow = input[field];
    return flow && flow !== before?.[field] ? [{ field, purpose, flow }] : [];
  });
  await requireBindable(tx, realm.id, changed);
}

/** The columns that creation and PUT write. Fields that the input leaves out get their initial values. */
const columnsOf = (input: IdentityProviderInput) => ({
  ...newColumns(identityProviderFields, input),
  // never kept, as recorded
  updateProfileFirstLoginMode: 'on',
  firstBrokerLoginFlowAlias: input.firstBrokerLoginFlowAlias || firstBrokerLoginFlow,
  postBrokerLoginFlowAlias: input.postBrokerLoginFlowAlias || null,
});

/** The configuration as it is stored; a mask stands for the secret that is there. */
function configOf(
  row: RowOfRealm,
  input: IdentityProviderInput,
  sealer: Sealer,
  before?: Pick<IdentityProviderRow, 'config' | 'secrets'>,
) {
  const sent = Object.fromEntries(Object.entries(input.config ?? {}).filter(([, value]) => value !== ''));
  const given = withHiding(sent, input.hideOnLogin);
  const place = placeOfSecrets('IdentityProvider', row);
  const known = openedEntries<string>(before?.secrets ?? null, place, sealer);
  const whole: Config = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== mask) whole[name] = value;
    else if (known[name] !== undefined) whole[name] = known[name];
  }
  if (before?.secrets)
    requireSameDestination('identityProvider', {
      before: before.config as Config,
      after: whole,
      kept: (name) => given[name] === mask && known[name] !== undefined,
    });
  const { config, secrets } = splitProviderConfig(whole);
  return { config, secrets: sealedEntries(secrets, place, sealer) };
}

export const create = write({
  name: 'identityProvider.create',
  summary: 'Creates an identity provider. Its secrets are encrypted and returned only as masks.',
  input: IdentityProviderRepresentation,
  allow: 'manage:identity-providers',
  actsOn: (target: Target, { alias }) => usersOfProviders(target, alias === undefined ? [] : [alias]),
  check: (_permit, { realm }: Target, input) => {
    usableAlias(input.alias);
    knownProvider(input.providerId);
    checkAddresses(realm, input.config ?? {});
  },
  run: async (tx, { realm }, input, { ctx }): Promise<IdentityProviderRow> => {
    await requireFlows(tx, realm, input);
    const id = await ownId(tx, input.internalId, ctx.services, 'internalId');
    const row = {
      id,
      realmId: realm.id,
      alias: usableAlias(input.alias),
      providerId: knownProvider(input.providerId),
      position: await nextPosition(tx.identityProvider, realm.id),
      ...columnsOf(input),
      ...configOf({ id, realmId: realm.id }, input, ctx.services.sealer),
    };
    await tx.identityProvider.createMany({ data: row });
    return { ...row, version: 0 };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID'],
  conflict: ({ alias }) => `Identity Provider ${alias} already exists`,
  event: (row) => ({
    operationType: 'CREATE',
    resourceType: 'IDENTITY_PROVIDER',
    resourcePath: `identity-provider/instances/${row.alias}`,
    resourceId: row.id,
    representation: encodeIdentityProvider(row),
  }),
  touches: touched,
});

export const update = write({
  name: 'identityProvider.update',
  summary: 'Replaces the settings of an identity provider. Its type cannot change. Links of users follow a new alias.',
  input: IdentityProviderRepresentation,
  allow: 'manage:identity-providers',
  // a caller who sets the provider's URL can log in as its users
  actsOn: (target: IdentityProviderTarget) => usersOfProviders(target, [target.provider.alias]),
  grants: (target: IdentityProviderTarget, _input, ctx) => grantsOfProviders(ctx, target, [target.provider.alias]),
  check: (_permit, { realm, provider }: IdentityProviderTarget, input) => {
    knownProvider(input.providerId);
    checkAddresses(realm, input.config ?? {});
    // without its internal id a provider of another alias is another one
    const renamed = input.alias !== undefined && input.alias !== provider.alias;
    if (renamed && input.internalId !== provider.id) throw notFound('HTTP 404 Not Found');
    if (renamed) usableAlias(input.alias);
  },
  lock: providerRow,
  refresh: async (tx, target: IdentityProviderTarget) => {
    const { id } = target.provider;
    const provider = await tx.identityProvider.findUnique({ where: { id }, select: identityProviderSelect });
    return { ...target, provider: found(provider, 'HTTP 404 Not Found') };
  },
  run: async (tx, { realm, provider: before }, input, { ctx }): Promise<IdentityProviderRow> => {
    await requireFlows(tx, realm, input, before);
    const alias = input.alias ?? before.alias;
    const changes = { alias, ...columnsOf(input), ...configOf(before, input, ctx.services.sealer, before) };
    await tx.identityProvider.updateMany({
      where: { id: before.id },
      data: { ...changes, version: { increment: 1 } },
    });
    if (alias !== before.alias) {
      await tx.federatedIdentity.updateMany({
        where: { identityProvider: before.alias, user: { realmId: realm.id } },
        data: { identityProvider: alias },
      });
    }
    return { ...before, ...changes, version: before.version + 1 };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'SECRET_REQUIRED'],
  conflict: ({ alias }) => `Identity Provider ${alias} already exists`,
  event: (row, { provider }) => ({
    operationType: 'UPDATE',
    resourceType: 'IDENTITY_PROVIDER',
    resourcePath: `identity-provider/instances/${provider.alias}`,
    resourceId: provider.id,
    representation: encodeIdentityProvider(row),
    before: encodeIdentityProvider(provider),
  }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ provider }) => encodeIdentityProvider(provider),
  empty: { ...clearable(identityProviderFields), config: {} },
});

export const remove = write({
  name: 'identityProvider.delete',
  summary: 'Deletes an identity provider with its mappers and the links of users to it.',
  allow: 'manage:identity-providers',
  lock: providerRow,
  run: async (tx, { realm, provider }: IdentityProviderTarget): Promise<IdentityProviderRow> => {
    const { alias } = provider;
    await tx.identityProviderMapper.deleteMany({ where: { realmId: realm.id, identityProviderAlias: alias } });
    await tx.federatedIdentity.deleteMany({ where: { identityProvider: alias, user: { realmId: realm.id } } });
    await tx.identityProvider.deleteMany({ where: { id: provider.id } });
    return provider;
  },
  event: (row) => ({
    operationType: 'DELETE',
    resourceType: 'IDENTITY_PROVIDER',
    resourcePath: `identity-provider/instances/${row.alias}`,
    resourceId: row.id,
    before: encodeIdentityProvider(row),
  }),
  touches: touched,
});
