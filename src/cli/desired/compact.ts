import { text as streamText } from 'node:stream/consumers';
import { isObject, isSameJson, members } from '../../services/core/json.js';
import { type Json, listOf, mapOf } from '../../services/realms/desired/kinds.js';
import { wholeRealm } from '../../services/realms/export/whole.js';
import { createScratchRealm } from '../../services/realms/scratch.js';
import { withScratchDatabase } from '../scratch-database.js';

// A realm without redundant values: plan and apply give the same result without them, also for a new realm.

const idFields: ReadonlySet<string> = new Set(['id', '_id', 'internalId', 'containerId']);
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** The generated IDs that texts of a realm name. */
function mentionedIds(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const [id] of value.matchAll(uuid)) found.add(id);
  if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) if (!idFields.has(name)) mentionedIds(item, found);
  return found;
}

/** A value without the IDs of its objects, except for the kept ones. */
function withoutIds(value: unknown, isKept: (id: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, isKept));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !idFields.has(name) || isKept(item))
      .map(([name, item]) => [name, withoutIds(item, isKept)]),
  );
}

/** Whether an ID of a realm is kept in its files: it was chosen by an author, or other objects refer to it. */
function keptIds(realm: Json): (id: unknown) => boolean {
  const mentioned = mentionedIds(realm);
  return (id) => typeof id === 'string' && (id.replace(uuid, '') !== '' || mentioned.has(id));
}

/** A minimal object of each kind, with only a name. */
const sample = {
  clients: [{ clientId: 'sample' }],
  groups: [{ name: 'sample' }],
  identityProviders: [{ alias: 'sample', providerId: 'oidc' }],
  roles: { realm: [{ name: 'sample' }] },
  users: [{ username: 'sample' }],
};

const names: ReadonlySet<string> = new Set(['name', 'alias', 'clientId', 'username', 'providerId']);

/** An object without the fields that equal the minimal object's. */
const reduced = (object: Json, bare: Json): Json =>
  Object.fromEntries(
    Object.entries(object).filter(([field, value]) => names.has(field) || !isSameJson(value, bare[field])),
  );

/** A group, and the groups below it. Its path is derived from its name. */
function reducedGroup({ path: _, subGroups, ...group }: Json, bare: Json): Json {
  const below = Array.isArray(subGroups) ? subGroups.filter(isObject).map((one) => reducedGroup(one, bare)) : [];
  return { ...reduced(group, bare), ...(below.length > 0 && { subGroups: below }) };
}

const byName = (list: readonly Json[], name: string): Map<unknown, Json> =>
  new Map(list.map((object) => [object[name], object]));

/**
 * A client. The two lists of client scopes depend on each other: a client keeps both, or neither if both have the
 * defaults.
 */
function reducedClient(client: Json, bare: Json): Json {
  const { defaultClientScopes, optionalClientScopes, ...rest } = client;
  const scopes = { defaultClientScopes, optionalClientScopes };
  const areStandard = Object.entries(scopes).every(([list, value]) => isSameJson(value, bare[list]));
  return { ...reduced(rest, bare), ...(!areStandard && scopes) };
}

/** A user. A service account is created with its client. */
function reducedUser({ createdTimestamp, ...user }: Json, bare: Json): Json {
  const isMade = user.serviceAccountClientId !== undefined;
  return { ...reduced(user, { ...bare, credentials: [] }), ...(!isMade && { createdTimestamp }) };
}

interface Listed {
  /** the field that names an object */
  name: string;
  /** default objects of a new realm that stay in a realm whose file lacks them */
  stays?: (object: Json) => boolean;
  /** an object without the default fields */
  reduce?: (object: Json) => Json;
}

/** A list without the default objects that stay without being named; undefined if the whole list is the default. */
function compactList(
  list: readonly Json[],
  fresh: readonly Json[],
  { name, stays, reduce }: Listed,
): Json[] | undefined {
  if (isSameJson(list, fresh)) return undefined;
  const known = byName(fresh, name);
  const compacted = list.flatMap((object) => {
    const own = known.get(object[name]);
    if (own && stays?.(object) && isSameJson(object, own)) return [];
    return [own || !reduce ? object : reduce(object)];
  });
  // an empty list would mean that the realm has no others
  return compacted.length === 0 && list.length > 0 ? undefined : compacted;
}

/** The members of a map that differ from a new realm. */
const compactMap = (map: Json, fresh: Json): Json =>
  Object.fromEntries(Object.entries(map).filter(([key, value]) => !isSameJson(value, fresh[key] ?? [])));

/** The settings of a realm that differ from a new realm. */
function settings(realm: Json, fresh: Json, lists: ReadonlySet<string>): Json {
  const own = Object.entries(realm).filter(([name]) => !lists.has(name));
  return Object.fromEntries(own.filter(([name, value]) => name === 'realm' || !isSameJson(value, fresh[name])));
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const scopeLists = ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'];

/** A new realm, and one with a new object of each kind, without IDs. */
async function standards(name: string): Promise<{ fresh: Json; bare: Json }> {
  const of = (content: object) =>
    withScratchDatabase(async (ctx) => {
      const { id } = await createScratchRealm(ctx, name, content);
      const text = await streamText(wholeRealm(ctx.db, ctx.services.sealer, id, { users: true, secrets: false }));
      return withoutIds(JSON.parse(text), () => false) as Json;
    });
  return { fresh: await of({}), bare: await of(sample) };
}

/**
 * A realm without generated IDs and without the defaults of new realms and objects. A plan with it finds the realm
 * unchanged, and an apply to a new realm creates the same one.
 */
export async function compactRealm(realm: Json): Promise<Json> {
  const whole = withoutIds(realm, keptIds(realm)) as Json;
  const { fresh, bare } = await standards(String(whole.realm));
  const sampleOf = (list: string): Json =>
    listOf(bare, list).find((one) => Object.values(one).includes('sample')) ?? {};
  const role = members(listOf(mapOf(bare, 'roles'), 'realm').find(({ name }) => name === 'sample'));
  const [roles, freshRoles] = [mapOf(whole, 'roles'), mapOf(fresh, 'roles')];
  const standing = new Set<unknown>(listOf(freshRoles, 'realm').map(({ name }) => name));
  const { defaultClientScopes, optionalClientScopes, ...client } = sampleOf('clients');
  const hasStandardScopes = scopeLists.every((list) => isSameJson(whole[list], fresh[list]));
  const clientBare = hasStandardScopes ? { ...client, defaultClientScopes, optionalClientScopes } : client;
  const isBuiltIn = new Set<unknown>(listOf(fresh, 'clients').map(({ clientId }) => clientId));
  const realmRoles = compactList(listOf(roles, 'realm'), listOf(freshRoles, 'realm'), {
    name: 'name',
    stays: ({ name }) => standing.has(name),
    reduce: (object) => reduced(object, role),
  });
  const clientRoles = Object.entries(compactMap(mapOf(roles, 'client'), mapOf(freshRoles, 'client'))).map(
    ([id, list]) => [id, (list as Json[]).map((one) => reduced(one, { ...role, clientRole: true }))],
  );
  const kinds: Record<string, Listed> = {
    clients: {
      name: 'clientId',
      stays: ({ clientId }) => isBuiltIn.has(clientId),
      reduce: (object) => reducedClient(object, clientBare),
    },
    clientScopes: { name: 'name' },
    authenticationFlows: { name: 'alias', stays: ({ builtIn }) => builtIn === true },
    authenticatorConfig: { name: 'alias' },
    requiredActions: { name: 'alias' },
    identityProviders: { name: 'alias', reduce: (object) => reduced(object, sampleOf('identityProviders')) },
    identityProviderMappers: { name: 'name' },
    scopeMappings: { name: 'client' },
    users: { name: 'username', reduce: (object) => reducedUser(object, sampleOf('users')) },
  };
  const lists = Object.entries(kinds).flatMap(([list, how]): [string, Json[]][] => {
    const found = compactList(listOf(whole, list), listOf(fresh, list), how);
    return found === undefined ? [] : [[list, found]];
  });
  const compacted = {
    roles: {
      ...(realmRoles && { realm: realmRoles }),
      ...(clientRoles.length > 0 && { client: Object.fromEntries(clientRoles) }),
    },
    ...Object.fromEntries(lists),
    ...(listOf(whole, 'groups').length > 0 && {
      groups: listOf(whole, 'groups').map((group) => reducedGroup(group, sampleOf('groups'))),
    }),
    clientScopeMappings: compactMap(mapOf(whole, 'clientScopeMappings'), mapOf(fresh, 'clientScopeMappings')),
    components: compactMap(mapOf(whole, 'components'), mapOf(fresh, 'components')),
  };
  const others = new Set([...Object.keys(kinds), 'groups', ...Object.keys(compacted)]);
  const kept = Object.entries(compacted).filter(([, value]) => !isEmpty(value));
  return { ...settings(whole, fresh, others), ...Object.fromEntries(kept) };
}
