import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../database/db.js';
import { takenIds } from '../../database/taken-ids.js';
import type { ProtocolMapperInput } from '../client-scopes/representation.js';
import type { Context } from '../core/context.js';
import { ownIdsBeside } from '../core/own-id.js';
import type { RealmRecord } from '../core/realm.js';
import { conflict, invalid } from '../core/refusal.js';
import { serviceAccountMappers } from '../realms/defaults/clients.js';

interface Assigned {
  id: string;
  protocol: string;
}

/**
 * Gives clients the scopes that the input names, or else those that new clients of their protocols get. Names without a
 * scope and scopes of another protocol are left out; a scope in both lists is a default one.
 */
export async function assignScopes(
  tx: Db,
  realm: RealmRecord,
  clients: readonly Assigned[],
  named?: { default: readonly string[]; optional: readonly string[] },
  template?: string,
): Promise<void> {
  if (clients.length === 0) return;
  const known = await tx.clientScope.findMany({
    where: { realmId: realm.id, protocol: { in: [...new Set(clients.map(({ protocol }) => protocol))] } },
    select: { id: true, name: true, protocol: true, assignment: true },
  });
  const scopes = known.flatMap(({ id, name, protocol, assignment }) => {
    const isDefault = named ? named.default.includes(name) : assignment === 'default' || name === template;
    const isOptional = named ? named.optional.includes(name) : assignment === 'optional';
    return isDefault || isOptional ? [{ clientScopeId: id, protocol, optional: !isDefault }] : [];
  });
  const rows = clients.flatMap((client) =>
    scopes.flatMap(({ protocol, ...scope }) =>
      protocol === client.protocol ? [{ clientId: client.id, ...scope }] : [],
    ),
  );
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
 * The ids that mappers keep: those that keep their name and protocol keep their id, as do those that are sent with the id of one
 * that goes. Undefined for new ones.
 */
function keptIds(
  mappers: readonly ProtocolMapperInput[],
  before: readonly MapperBefore[],
): readonly (string | undefined)[] {
  const known = new Map(before.map((mapper) => [mapperKey(mapper), mapper.id]));
  const kept = mappers.map((mapper) => known.get(mapperKey(mapper)));
  const free = new Set(before.map(({ id }) => id).filter((id) => !kept.includes(id)));
  mappers.forEach(({ id = '' }, at) => {
    if (kept[at] === undefined && free.delete(id)) kept[at] = id;
  });
  return kept;
}

/** The ids that were chosen for those of the mappers that are new. */
export function chosenIds(
  mappers: readonly ProtocolMapperInput[],
  before: readonly MapperBefore[],
): readonly (string | undefined)[] {
  const kept = keptIds(mappers, before);
  return mappers.map(({ id }, at) => (kept[at] === undefined ? id : undefined));
}

/**
 * The mappers of a client as they are inserted, in place of those that it has. No two have the same name and protocol. `taken` has
 * those of the chosen ids that are in use.
 */
export function mapperRows(
  { services }: Pick<Context, 'services'>,
  client: Owner,
  mappers: readonly ProtocolMapperInput[],
  before: readonly MapperBefore[] = [],
  taken: ReadonlySet<string> = new Set(),
) {
  // those of a protocol are told apart by the unique key of the database
  const others = mappers.filter(({ protocol }) => protocol === undefined);
  if (new Set(others.map(mapperKey)).size < others.length) {
    throw conflict('Protocol mapper names must be unique', 'protocolMappers');
  }
  const kept = keptIds(mappers, before);
  const made = ownIdsBeside(taken, chosenIds(mappers, before), services, 'protocolMappers');
  return mappers.map((mapper, at) => mapperRow(client, mapper, kept[at] ?? (made[at] as string)));
}

/** The mappers that come with a service account, but those of which the client has one of that name. */
export const missingMappers = (mappers: readonly { name?: string | undefined }[]): readonly ProtocolMapperInput[] =>
  serviceAccountMappers.filter(({ name }) => !mappers.some((mapper) => mapper.name === name));

/** Adds protocol mappers to a new client. */
export async function addMappers(
  tx: Db,
  ctx: Context,
  client: Owner,
  mappers: readonly ProtocolMapperInput[],
): Promise<void> {
  if (mappers.length === 0) return;
  const taken = await takenIds(
    tx,
    mappers.flatMap(({ id }) => id ?? []),
  );
  await tx.protocolMapper.createMany({ data: mapperRows(ctx, client, mappers, [], taken) });
}

type Overrides = Readonly<Record<string, string>>;

const named = (given: Overrides = {}) => Object.entries(given).filter(([, id]) => id.trim() !== '');

/** The top-level flows of a realm among those that inputs name, by their ids. Asks nothing where they name none. */
export async function knownFlows(
  tx: Db,
  realm: RealmRecord,
  inputs: readonly (Overrides | undefined)[],
): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(inputs.flatMap((given) => named(given).map(([, id]) => id)))];
  if (wanted.length === 0) return new Set();
  const flows = await tx.authenticationFlow.findMany({
    where: { realmId: realm.id, topLevel: true, id: { in: wanted } },
    select: { id: true },
  });
  return new Set(flows.map(({ id }) => id));
}

/** The ids of flows by their use, with what the input changes; an empty text takes an entry out. */
export function flowOverrides(
  known: ReadonlySet<string>,
  before: Overrides,
  given?: Overrides,
): Record<string, string> {
  const missing = named(given).find(([, id]) => !known.has(id));
  if (missing) throw invalid('Authentication flow not found', `authenticationFlowBindingOverrides.${missing[0]}`);
  return Object.fromEntries(named({ ...before, ...given }));
}
