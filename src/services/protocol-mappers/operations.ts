import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../generated/sqlite/client.js';
import { encodeProtocolMapper, type MapperRow, protocolMapperSelect } from '../client-scopes/encode.js';
import { protocolMapperFields } from '../client-scopes/fields.js';
import type { ScopeOwner } from '../client-scopes/locate.js';
import { ownerChanged, ownerRow, ownerTouched } from '../client-scopes/owner.js';
import { type ProtocolMapperInput, ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import { requireSectorOfMappers } from '../clients/sector.js';
import type { Context } from '../core/context.js';
import { replacedColumns } from '../core/fields.js';
import { type AuditRecord, list, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, invalid, Refusal } from '../core/refusal.js';
import { list as listOf, representation, text } from '../core/shape.js';
import { requireTypes, requireUsable } from './check.js';
import type { MapperTarget } from './locate.js';
import { pairwiseMapper } from './pairwise.js';
import { keptConfig, mappersOf, newMapperRows } from './rows.js';

/** The mappers of one protocol, or of all. */
const MapperFilter = representation('MapperFilter', { protocol: text });

export const listMappers = list({
  name: 'protocolMapper.list',
  summary: 'Returns the protocol mappers of a client or client scope.',
  input: MapperFilter,
  allow: 'view:clients',
  model: 'ProtocolMapper',
  where: (target: ScopeOwner, { protocol }): Prisma.ProtocolMapperWhereInput => ({
    ...mappersOf(target),
    ...(protocol !== undefined && { protocol }),
  }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

export const get = read({
  name: 'protocolMapper.get',
  summary: 'Returns a protocol mapper of a client or client scope.',
  allow: 'view:clients',
  run: async (_ctx, { mapper }: MapperTarget): Promise<MapperRow> => mapper,
});

const record = (operationType: AuditRecord['operationType'], resourcePath: string, content: object): AuditRecord => ({
  operationType,
  resourceType: 'PROTOCOL_MAPPER',
  resourcePath,
  ...content,
});

/** Mappers write tokens: tokens of the administration tools carry all rights of a user. */
const altersOwner = ({ owner }: ScopeOwner) => ({ clients: owner.kind === 'client' ? [owner.id] : [] });

/** Pairwise subjects of a client are salted; an existing salt is kept, a missing one is generated. */
function salted(mapper: ProtocolMapperInput, { owner }: ScopeOwner, before: unknown = {}): ProtocolMapperInput {
  const { pairwiseSubAlgorithmSalt: salt, ...config } = mapper.config ?? {};
  if (owner.kind !== 'client' || mapper.protocolMapper !== pairwiseMapper || salt) return mapper;
  const { pairwiseSubAlgorithmSalt = randomUUID() } = before as Record<string, string>;
  return { ...mapper, config: { ...config, pairwiseSubAlgorithmSalt } };
}

/** Refuses sectors that do not list the client. As recorded, mappers of client scopes are not checked. */
const requireSectors = async (
  ctx: Context,
  { owner }: ScopeOwner,
  mappers: readonly ProtocolMapperInput[],
  configOf?: (index: number) => string,
): Promise<void> => {
  if (owner.kind === 'client') await requireSectorOfMappers(ctx, owner.id, mappers, configOf);
};

export const create = write({
  name: 'protocolMapper.create',
  summary: 'Creates a protocol mapper in a client or client scope.',
  input: ProtocolMapperRepresentation,
  allow: 'manage:clients',
  alters: altersOwner,
  check: (_permit, _target: ScopeOwner, mapper) => requireTypes([mapper]),
  lock: ownerRow,
  prepare: (ctx, target, mapper) => requireSectors(ctx, target, [mapper]),
  run: async (tx, target, mapper, { ctx }) => {
    const [row] = await newMapperRows(tx, ctx, target, [salted(mapper, target)]);
    if (!row) throw new Error('The protocol mapper has no row');
    await requireUsable(tx, target, [mapper]);
    await tx.protocolMapper.createMany({ data: row });
    await ownerChanged(tx, target);
    return row;
  },
  refuses: ['NAME_TAKEN'],
  conflict: () => 'Protocol mapper exists with same name',
  event: (mapper, { path }) =>
    record('CREATE', `${path}/protocol-mappers/models/${mapper.id}`, { representation: encodeProtocolMapper(mapper) }),
  touches: ownerTouched,
});

export const createMany = write({
  name: 'protocolMapper.createMany',
  summary: 'Creates protocol mappers in a client or client scope: all of them or none.',
  input: listOf(ProtocolMapperRepresentation),
  allow: 'manage:clients',
  alters: altersOwner,
  check: (_permit, _target: ScopeOwner, mappers) => requireTypes(mappers),
  lock: ownerRow,
  prepare: (ctx, target, mappers) => requireSectors(ctx, target, mappers, (index) => `${index}.config`),
  run: async (tx, target, mappers, { ctx }) => {
    const rows = await newMapperRows(
      tx,
      ctx,
      target,
      mappers.map((mapper) => salted(mapper, target)),
    );
    if (rows.length === 0) return rows;
    await requireUsable(tx, target, mappers, (index) => `${index}.config`);
    await tx.protocolMapper.createMany({ data: rows });
    await ownerChanged(tx, target);
    return rows;
  },
  refuses: ['NAME_TAKEN'],
  conflict: () =>
    new Refusal('conflict', 'Protocol mapper exists with same name', {
      body: { error: 'unknown_error' },
      code: 'NAME_TAKEN',
    }),
  event: (mappers, { path }) =>
    record('CREATE', `${path}/protocol-mappers/add-models`, { representation: mappers.map(encodeProtocolMapper) }),
  touches: ownerTouched,
});

export const update = write({
  name: 'protocolMapper.update',
  summary: 'Replaces the type and settings of a protocol mapper. Its name and protocol cannot change.',
  input: ProtocolMapperRepresentation,
  allow: 'manage:clients',
  alters: altersOwner,
  check: (_permit, { mapper }: MapperTarget, given) => {
    requireTypes([given]);
    if (given.id !== mapper.id) throw invalid('`id` of the protocol mapper must be the one in the path', 'id');
  },
  lock: ownerRow,
  prepare: (ctx, target, given) => requireSectors(ctx, target, [given]),
  refresh: async (tx, target: MapperTarget) => {
    const { id } = target.mapper;
    const mapper = await tx.protocolMapper.findUnique({ where: { id }, select: protocolMapperSelect });
    return { ...target, mapper: found(mapper, 'Model not found') };
  },
  run: async (tx, target, given): Promise<MapperRow> => {
    await requireUsable(tx, target, [given]);
    const { mapper: before } = target;
    const { id } = before;
    const input = salted(given, target, before.config);
    const changes = { ...replacedColumns(protocolMapperFields, input), config: keptConfig(input.config) };
    await tx.later.protocolMapper.updateMany({ where: { id }, data: changes });
    await ownerChanged(tx, target);
    return { ...before, ...changes };
  },
  event: (mapper, { path, mapper: before }) =>
    record('UPDATE', `${path}/protocol-mappers/models/${mapper.id}`, {
      representation: encodeProtocolMapper(mapper),
      before: encodeProtocolMapper(before),
    }),
  touches: ownerTouched,
});

export const patch = patchOf(update, { current: ({ mapper }) => encodeProtocolMapper(mapper), empty: { config: {} } });

export const remove = write({
  name: 'protocolMapper.delete',
  summary: 'Deletes a protocol mapper of a client or client scope.',
  allow: 'manage:clients',
  alters: altersOwner,
  lock: ownerRow,
  run: async (tx, target: MapperTarget): Promise<MapperRow> => {
    await tx.later.protocolMapper.deleteMany({ where: { id: target.mapper.id } });
    await ownerChanged(tx, target);
    return target.mapper;
  },
  event: (mapper, { path }) =>
    record('DELETE', `${path}/protocol-mappers/models/${mapper.id}`, { before: encodeProtocolMapper(mapper) }),
  touches: ownerTouched,
});
