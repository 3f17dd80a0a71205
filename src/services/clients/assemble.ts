import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { ProtocolMapperInput } from '../client-scopes/representation.js';
import type { Context } from '../core/context.js';
import { ownIds } from '../core/own-id.js';
import type { RealmRecord } from '../core/realm.js';
import { conflict, invalid } from '../core/refusal.js';
import { serviceAccountMappers } from '../realms/defaults/clients.js';

interface Assigned {
  id: string;
  protocol: string;
}

/**
 * Gives a client the scopes that the input names, or else those that new clients of its protocol get. Names without a
 * scope and scopes of another protocol are left out; a scope in both lists is a default one.
 */
export async function assignScopes(
  tx: Db,
  realm: RealmRecord,
  client: Assigned,
  named?: { default: readonly string[]; optional: readonly string[] },
  template?: string,
): Promise<void> {
  const known = await tx.clientScope.findMany({
    where: { realmId: realm.id, protocol: client.protocol },
    select: { id: true, name: true, assignment: true },
  });
  const rows: Prisma.ClientScopeAssignmentCreateManyInput[] = [];
  for (const { id, name, assignment } of known) {
    const isDefault = named ? named.default.includes(name) : assignment === 'default' || name === template;
    const isOptional = named ? named.optional.includes(name) : assignment === 'optional';
    if (isDefault || isOptional) rows.push({ clientId: client.id, clientScopeId: id, optional: !isDefault });
  }
  if (rows.length > 0) await tx.later.insertNew('ClientScopeAssignment', rows);
}

/** A client with its realm. */
interface Owner {
  id: string;
  realmId: string;
}

const mapperRow = ({ id: clientId, realmId }: Owner, mapper: ProtocolMapperInput, id: string) => {
  if (mapper.name === undefined) throw invalid('`name` of the protocol mapper is required', 'protocolMappers');
  return {
    id,
    realmId,
    clientId,
    container: clientId,
    name: mapper.name,
    protocol: mapper.protocol ?? null,
    protocolMapper: mapper.protocolMapper ?? null,
    config: mapper.config ?? {},
  };
};

/** The unique key of a mapper among those of its client, as text. */
const mapperKey = ({ protocol, name }: { protocol?: string | null | undefined; name?: string | undefined }) =>
  JSON.stringify([protocol ?? null, name]);

type MapperBefore = Readonly<{ id: string; name: string; protocol: string | null }>;

const contentOf = ({ protocolMapper, config }: { protocolMapper?: string | null | undefined; config?: unknown }) =>
  [protocolMapper ?? null, config ?? {}] as const;

/** Whether the mappers that are sent are those that a client has. Ids and order do not count. */
export function isSameMappers(
  mappers: readonly ProtocolMapperInput[],
  before: readonly (MapperBefore & { protocolMapper: string | null; config: unknown })[],
): boolean {
  const sent = new Map(mappers.map((mapper) => [mapperKey(mapper), contentOf(mapper)]));
  return (
    mappers.length === before.length &&
    sent.size === before.length &&
    before.every((mapper) => isDeepStrictEqual(sent.get(mapperKey(mapper)), contentOf(mapper)))
  );
}

/**
 * The ids of the mappers of a client: those that keep their name and protocol keep their id, as do those that are sent
 * with the id of one that goes.
 */
async function mapperIds(
  tx: Db,
  ctx: Context,
  mappers: readonly ProtocolMapperInput[],
  before: readonly MapperBefore[],
): Promise<string[]> {
  const known = new Map(before.map((mapper) => [mapperKey(mapper), mapper.id]));
  const kept = mappers.map((mapper) => known.get(mapperKey(mapper)));
  const free = new Set(before.map(({ id }) => id).filter((id) => !kept.includes(id)));
  mappers.forEach(({ id = '' }, at) => {
    if (kept[at] === undefined && free.delete(id)) kept[at] = id;
  });
  const others = mappers.map(({ id }, at) => (kept[at] === undefined ? id : undefined));
  const made = await ownIds(tx, others, ctx.services, 'protocolMappers');
  return made.map((id, at) => kept[at] ?? id);
}

/** The mappers of a client as they are inserted. No two have the same name and protocol. */
async function mapperRows(
  tx: Db,
  ctx: Context,
  client: Owner,
  mappers: readonly ProtocolMapperInput[],
  before: readonly MapperBefore[] = [],
) {
  // those of a protocol are told apart by the unique key of the database
  const others = mappers.filter(({ protocol }) => protocol === undefined);
  if (new Set(others.map(mapperKey)).size < others.length) {
    throw conflict('Protocol mapper names must be unique', 'protocolMappers');
  }
  const ids = await mapperIds(tx, ctx, mappers, before);
  return mappers.map((mapper, at) => mapperRow(client, mapper, ids[at] as string));
}

/** The mappers that come with a service account, but those of which the client has one of that name. */
export const missingMappers = (mappers: readonly { name?: string | undefined }[]): readonly ProtocolMapperInput[] =>
  serviceAccountMappers.filter(({ name }) => !mappers.some((mapper) => mapper.name === name));

/** Adds protocol mappers to a client. */
export async function addMappers(
  tx: Db,
  ctx: Context,
  client: Owner,
  mappers: readonly ProtocolMapperInput[],
): Promise<void> {
  if (mappers.length === 0) return;
  await tx.protocolMapper.createMany({ data: await mapperRows(tx, ctx, client, mappers) });
}

/** Replaces the protocol mappers of a client; those that keep their name and protocol keep their id. */
export async function replaceMappers(
  tx: Db,
  ctx: Context,
  client: Owner,
  mappers: readonly ProtocolMapperInput[],
  before: readonly MapperBefore[],
): Promise<void> {
  const rows = await mapperRows(tx, ctx, client, mappers, before);
  await tx.later.protocolMapper.deleteMany({ where: { clientId: client.id } });
  if (rows.length > 0) await tx.protocolMapper.createMany({ data: rows });
}

/** The ids of flows by their use, with what the input changes; an empty text takes an entry out. */
export async function flowOverrides(
  tx: Db,
  realm: RealmRecord,
  before: Record<string, string>,
  given: Record<string, string> = {},
): Promise<Record<string, string>> {
  const wanted = Object.entries(given).filter(([, id]) => id.trim() !== '');
  if (wanted.length > 0) {
    const found = await tx.authenticationFlow.findMany({
      where: { realmId: realm.id, topLevel: true, id: { in: wanted.map(([, id]) => id) } },
      select: { id: true },
    });
    const missing = wanted.find(([, id]) => !found.some((flow) => flow.id === id));
    if (missing) throw invalid('Authentication flow not found', `authenticationFlowBindingOverrides.${missing[0]}`);
  }
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, id]) => id.trim() !== ''));
}
