import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { missing } from '../core/permit.js';
import { found, invalid, notFound } from '../core/refusal.js';
import { encodeIdentityProviderMapper, identityProviderMapperSelect, type MapperRow } from './encode.js';
import { grantsOfSettings } from './entitlement.js';
import { type IdentityProviderTarget, providerRow } from './locate.js';
import { mapperTypesOf } from './mapper-types.js';
import { IdentityProviderMapperRepresentation } from './representation.js';
import { usersOfProviders } from './store.js';

/** A mapper with the provider that it was looked for at; it may belong to another one, as recorded. */
export interface ProviderMapperTarget extends IdentityProviderTarget {
  mapper: MapperRow;
}

/** The mapper of this id in the realm. */
export async function providerMapperById(
  ctx: Context,
  parent: IdentityProviderTarget,
  id: string,
): Promise<ProviderMapperTarget> {
  const mapper = await ctx.db.identityProviderMapper.findFirst({
    where: { id, realmId: parent.realm.id },
    select: identityProviderMapperSelect,
  });
  if (!mapper) throw await missing(ctx, parent.realm, 'view:identity-providers', 'Model not found');
  return { ...parent, mapper };
}

const resource = (alias: string, id: string) => ({
  resourceType: 'IDENTITY_PROVIDER_MAPPER',
  resourcePath: `identity-provider/instances/${alias}/mappers/${id}`,
});
const touches = (_row: unknown, { realm }: IdentityProviderTarget) => [`identity-providers:${realm.id}`];
/** A mapper with `BROKER_ID` decides which account a user has, so its author can log in as any user of the provider. */
const mappedUsers = (target: ProviderMapperTarget, alias: string | null | undefined) =>
  usersOfProviders(target, [target.mapper.identityProviderAlias, ...(alias ? [alias] : [])]);
const mapperRow = ({ mapper }: ProviderMapperTarget) => ({ model: 'IdentityProviderMapper' as const, id: mapper.id });

export const mapperTypes = read({
  name: 'identityProviderMapper.types',
  summary: 'Returns the mapper types that an identity provider can have, with their settings, by ID.',
  allow: 'view:identity-providers',
  run: async (_ctx, { provider }: IdentityProviderTarget) =>
    Object.fromEntries(mapperTypesOf(provider.providerId).map((type) => [type.id, type])),
});

export const getMapper = read({
  name: 'identityProviderMapper.get',
  summary: 'Returns a mapper of an identity provider.',
  allow: 'view:identity-providers',
  run: async (_ctx, { mapper }: ProviderMapperTarget) => mapper,
});

export const createMapper = write({
  name: 'identityProviderMapper.create',
  summary: 'Creates a mapper for the identity provider whose alias it names. The provider may be created later.',
  input: IdentityProviderMapperRepresentation,
  allow: 'manage:identity-providers',
  grants: (target: IdentityProviderTarget, { config }, ctx) => grantsOfSettings(ctx, target, config ? [config] : []),
  actsOn: (target: IdentityProviderTarget, { identityProviderAlias: alias }) =>
    usersOfProviders(target, alias ? [alias] : []),
  lock: providerRow,
  run: async (tx, { realm, provider }: IdentityProviderTarget, input, { ctx }): Promise<MapperRow> => {
    const { name, identityProviderAlias: alias, identityProviderMapper: kind } = input;
    if (!name) throw invalid('`name` of the mapper is required', 'name');
    if (!alias) throw invalid('`identityProviderAlias` is required', 'identityProviderAlias');
    if (!kind) throw invalid('`identityProviderMapper` is required', 'identityProviderMapper');
    const taken = await tx.identityProviderMapper.count({
      where: { realmId: realm.id, identityProviderAlias: alias, name },
    });
    if (taken > 0) {
      throw invalid(`Failed to add mapper '${name}' to identity provider [${provider.providerId}].`, 'name', {
        member: 'errorMessage',
        code: 'NAME_TAKEN',
      });
    }
    const row = {
      id: await ownId(tx, input.id, ctx.services),
      name,
      identityProviderAlias: alias,
      identityProviderMapper: kind,
      config: input.config ?? {},
    };
    await tx.identityProviderMapper.createMany({ data: { ...row, realmId: realm.id } });
    return { ...row, version: 0 };
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ id }) => `A mapper with the id ${id} exists already`,
  event: (row, { provider }) => ({
    operationType: 'CREATE',
    ...resource(provider.alias, row.id),
    representation: encodeIdentityProviderMapper(row),
  }),
  touches,
});

export const updateMapper = write({
  name: 'identityProviderMapper.update',
  summary: 'Replaces the type and settings of a mapper. Its name cannot change.',
  input: IdentityProviderMapperRepresentation,
  allow: 'manage:identity-providers',
  grants: (target: ProviderMapperTarget, { config }, ctx) => grantsOfSettings(ctx, target, config ? [config] : []),
  actsOn: (target: ProviderMapperTarget, { identityProviderAlias: alias }) => mappedUsers(target, alias),
  queue: providerRow,
  lock: mapperRow,
  refresh: async (tx, target: ProviderMapperTarget) => {
    const { id } = target.mapper;
    const mapper = await tx.identityProviderMapper.findUnique({ where: { id }, select: identityProviderMapperSelect });
    return { ...target, mapper: found(mapper, 'Model not found') };
  },
  run: async (tx, { mapper }: ProviderMapperTarget, input): Promise<MapperRow> => {
    if (input.id !== mapper.id) throw invalid('`id` of the mapper must be the one in the path', 'id');
    const changes = {
      identityProviderAlias: input.identityProviderAlias ?? mapper.identityProviderAlias,
      identityProviderMapper: input.identityProviderMapper ?? mapper.identityProviderMapper,
      config: input.config ?? {},
    };
    const { count } = await tx.identityProviderMapper.updateMany({
      where: { id: mapper.id },
      data: { ...changes, version: { increment: 1 } },
    });
    if (count === 0) throw notFound('Model not found');
    return { ...mapper, ...changes, version: mapper.version + 1 };
  },
  event: (row, { provider, mapper }) => ({
    operationType: 'UPDATE',
    ...resource(provider.alias, row.id),
    representation: encodeIdentityProviderMapper(row),
    before: encodeIdentityProviderMapper(mapper),
  }),
  touches,
});

export const patchMapper = patchOf(updateMapper, {
  current: ({ mapper }) => encodeIdentityProviderMapper(mapper),
  empty: { config: {} },
});

export const removeMapper = write({
  name: 'identityProviderMapper.delete',
  summary: 'Deletes a mapper of an identity provider.',
  allow: 'manage:identity-providers',
  actsOn: (target: ProviderMapperTarget) => mappedUsers(target, undefined),
  queue: providerRow,
  lock: mapperRow,
  run: async (tx, { mapper }: ProviderMapperTarget): Promise<MapperRow> => {
    await tx.later.identityProviderMapper.deleteMany({ where: { id: mapper.id } });
    return mapper;
  },
  event: (row, { provider }) => ({
    operationType: 'DELETE',
    ...resource(provider.alias, row.id),
    before: encodeIdentityProviderMapper(row),
  }),
  touches,
});
