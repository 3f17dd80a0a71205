import type { ModelName } from '../../../database/db.js';
import { isObject } from '../../core/json.js';
import { mask } from '../../core/mask.js';
import { conflict, invalid } from '../../core/refusal.js';
import { withCredentials } from './credentials.js';
import {
  type Json,
  type Keyed,
  type Kind,
  keyed,
  kinds,
  listOf,
  type Mode,
  type Modes,
  mapOf,
  modeOf,
} from './kinds.js';

/** What a file does to the names of a realm. */
export interface Names {
  /** what objects of the realm are called by the file: their new name, or undefined for those that go */
  changed: Map<string, string | undefined>;
  /** ids of the file, and those that the same objects have in the realm, as `<model> <id>` */
  ids: Map<string, string>;
}

/** Under which name `Names` has an object; `container` is the clientId or the path of the group that it belongs to. */
export const nameKey = (model: ModelName, name: string, container = ''): string => `${model} ${container} ${name}`;

/** What is not deleted because a file lacks it, by model and id. */
export type Protected = (model: ModelName, object: Json) => boolean;

export interface Merging {
  modes: Modes;
  names: Names;
  isProtected: Protected;
  /** the names that objects of the file had before, by their place in the file */
  formerNames: ReadonlyMap<string, string>;
}

/** A value of a file without the masks in it: a mask stands for a secret that stays as it is. */
function withoutMasks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (!isObject(value)) return value;
  const isMasked = (item: unknown) => item === mask || (Array.isArray(item) && item.length === 1 && item[0] === mask);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (isMasked(item) ? [] : [[name, withoutMasks(item)]])),
  );
}

interface Listed {
  keyed: Keyed;
  mode: Mode;
  /** place in the file */
  field: string;
  container?: string;
  /** how an object of the file changes the one that the realm has */
  merge?: (current: Json, given: Json, field: string) => Json;
}

/** The objects of a list, as they are to be: those of the realm in their order, then those that only the file has. */
function mergedList(current: readonly Json[], given: readonly Json[], list: Listed, to: Merging): Json[] {
  const { keyed: kind, mode, field, container } = list;
  const byId = new Map(current.map((object) => [object[kind.id], object]));
  const byKey = new Map(current.map((object) => [kind.key(object), object]));
  const matched = new Map<Json, Json>();
  const created: Json[] = [];
  const seen = new Set<string>();
  given.forEach((object, index) => {
    const place = `${field}.${index}`;
    const name = kind.key(object);
    if (seen.has(name)) throw conflict(`${kind.model} "${name.trim()}" occurs twice in the file`, place, 'REPEATED');
    seen.add(name);
    const id = object[kind.id];
    const former = to.formerNames.get(place);
    const found =
      (id === undefined ? undefined : byId.get(id)) ??
      byKey.get(name) ??
      (former === undefined ? undefined : byKey.get(former));
    if (!found) {
      created.push(withoutMasks(object) as Json);
      return;
    }
    if (matched.has(found)) throw invalid(`Two objects of the file stand for ${kind.model} "${name.trim()}"`, place);
    const own = found[kind.id];
    if (typeof id === 'string' && typeof own === 'string' && id !== own) to.names.ids.set(`${kind.model} ${id}`, own);
    const next = { ...(withoutMasks(object) as Json), ...(own !== undefined && { [kind.id]: own }) };
    const merged = mode === 'ADD' ? found : (list.merge?.(found, next, place) ?? { ...found, ...next });
    matched.set(found, merged);
    const before = kind.key(found);
    if (before !== kind.key(merged)) to.names.changed.set(nameKey(kind.model, before, container), kind.key(merged));
  });
  const kept = current.filter((object) => {
    const stays = matched.has(object) || mode !== 'FULL' || to.isProtected(kind.model, object);
    if (!stays) to.names.changed.set(nameKey(kind.model, kind.key(object), container), undefined);
    return stays;
  });
  return [...kept.map((object) => matched.get(object) ?? object), ...created];
}

/** A list within an object, which is as the file has it: only the ids of what is there stay. */
const exactList = (kind: Keyed, current: Json, given: Json, name: string, field: string, to: Merging): Json =>
  given[name] === undefined
    ? {}
    : {
        [name]: mergedList(
          listOf(current, name),
          listOf(given, name),
          { keyed: kind, mode: 'FULL', field: `${field}.${name}`, merge: (_was, next) => next },
          // what belongs to one object protects nothing, and is named by nothing else
          { ...to, isProtected: () => false },
        ),
      };

const withMappers =
  (to: Merging) =>
  (current: Json, given: Json, field: string): Json => ({
    ...current,
    ...given,
    ...exactList(keyed.protocolMapper, current, given, 'protocolMappers', field, to),
  });

const mergeClient =
  (to: Merging) =>
  (current: Json, given: Json, field: string): Json => {
    const merged = withMappers(to)(current, given, field);
    if (given.authorizationSettings === undefined) return merged;
    const [was, next] = [mapOf(current, 'authorizationSettings'), mapOf(given, 'authorizationSettings')];
    const at = `${field}.authorizationSettings`;
    return {
      ...merged,
      authorizationSettings: {
        ...was,
        ...next,
        ...exactList(keyed.authorizationScope, was, next, 'scopes', at, to),
        ...exactList(keyed.authorizationResource, was, next, 'resources', at, to),
        ...exactList(keyed.authorizationPolicy, was, next, 'policies', at, to),
      },
    };
  };

function mergedGroups(current: Json[], given: Json[], path: string, field: string, mode: Mode, to: Merging): Json[] {
  const merge = (was: Json, next: Json, place: string): Json => ({
    ...was,
    ...next,
    ...(next.subGroups !== undefined && {
      subGroups: mergedGroups(
        listOf(was, 'subGroups'),
        listOf(next, 'subGroups'),
        `${path}/${keyed.group.key(was)}`,
        `${place}.subGroups`,
        mode,
        to,
      ),
    }),
  });
  return mergedList(current, given, { keyed: keyed.group, mode, field, container: path, merge }, to);
}

/** Components by the type of their provider: a type that the file does not have stays as it is. */
function mergedComponents(current: Json, given: Json, field: string, mode: Mode, to: Merging): Json {
  const merge = (was: Json, next: Json, place: string): Json => ({
    ...was,
    ...next,
    ...(next.subComponents !== undefined && {
      subComponents: mergedComponents(
        mapOf(was, 'subComponents'),
        mapOf(next, 'subComponents'),
        `${place}.subComponents`,
        mode,
        to,
      ),
    }),
  });
  const types = Object.keys(given).map((type) => [
    type,
    mergedList(
      listOf(current, type),
      listOf(given, type),
      { keyed: keyed.component, mode, field: `${field}.${type}`, merge },
      to,
    ),
  ]);
  return { ...current, ...Object.fromEntries(types) };
}

const plainLists = {
  clientScopes: keyed.clientScope,
  scopeMappings: keyed.scopeMapping,
  authenticationFlows: keyed.flow,
  authenticatorConfig: keyed.authenticatorConfig,
  requiredActions: keyed.requiredAction,
  identityProviders: keyed.identityProvider,
  identityProviderMappers: keyed.identityProviderMapper,
  webhooks: keyed.webhook,
} as const satisfies Partial<Record<Kind, Keyed>>;

/** The fields that are merged by themselves, and those that say which realm it is. */
const merged: ReadonlySet<string> = new Set([...kinds, 'roles', 'clientScopeMappings', 'defaultRole', 'id', 'realm']);

/**
 * A realm as it is to be: the RealmRepresentation of what it is, with what the file says. An object of the file keeps those fields
 * that it does not give; a field that it gives is as it says, with all that is in it. Throws `invalid` or `conflict` with the
 * place in the file.
 */
export function mergedRealm(current: Json, given: Json, merging: Merging): Json {
  const to = { ...merging, formerNames: withDefaultRole(current, given, merging.formerNames) };
  const mode = (kind: Kind): Mode => modeOf(to.modes, kind);
  const lists = Object.entries(plainLists).flatMap(([name, kind]) => {
    if (given[name] === undefined) return [];
    const merge = name === 'clientScopes' ? withMappers(to) : undefined;
    const list = { keyed: kind, mode: mode(name as Kind), field: name, ...(merge && { merge }) };
    return [[name, mergedList(listOf(current, name), listOf(given, name), list, to)]];
  });
  const settings = Object.fromEntries(Object.entries(given).filter(([name]) => !merged.has(name)));
  const clients =
    given.clients !== undefined &&
    mergedList(
      listOf(current, 'clients'),
      listOf(given, 'clients'),
      { keyed: keyed.client, mode: mode('clients'), field: 'clients', merge: mergeClient(to) },
      to,
    );
  return {
    ...current,
    ...(withoutMasks(settings) as Json),
    ...Object.fromEntries(lists),
    ...(clients && { clients }),
    roles: mergedRoles(current, given, to),
    ...(given.groups !== undefined && {
      groups: mergedGroups(listOf(current, 'groups'), listOf(given, 'groups'), '', 'groups', mode('groups'), to),
    }),
    ...(given.components !== undefined && {
      components: mergedComponents(
        mapOf(current, 'components'),
        mapOf(given, 'components'),
        'components',
        mode('components'),
        to,
      ),
    }),
    ...(given.users !== undefined && {
      users: mergedList(
        listOf(current, 'users'),
        listOf(given, 'users'),
        { keyed: keyed.user, mode: mode('users'), field: 'users', merge: withCredentials },
        to,
      ),
    }),
    ...(given.localizationTexts !== undefined && {
      localizationTexts: mergedTexts(current, given, mode('localizationTexts')),
    }),
    ...(given.clientScopeMappings !== undefined && {
      clientScopeMappings: mergedMappings(current, given, mode('scopeMappings'), to),
    }),
  };
}

/** The default role of the file is that of the realm, whatever it is called. */
function withDefaultRole(current: Json, given: Json, formerNames: Merging['formerNames']): Merging['formerNames'] {
  const [own, wanted] = [mapOf(current, 'defaultRole').name, mapOf(given, 'defaultRole').name];
  const at = listOf(mapOf(given, 'roles'), 'realm').findIndex(({ name }) => name === wanted);
  if (wanted === undefined || wanted === own || typeof own !== 'string' || at < 0) return formerNames;
  return new Map(formerNames).set(`roles.realm.${at}`, own);
}

/** A map by clientId in which renamed clients have their new names. */
const withNewNames = (map: Json, { names: { changed } }: Merging): Json =>
  Object.fromEntries(
    Object.entries(map).map(([clientId, value]) => [changed.get(nameKey('Client', clientId)) ?? clientId, value]),
  );

function mergedRoles(current: Json, given: Json, to: Merging): Json {
  const [was, next] = [mapOf(current, 'roles'), mapOf(given, 'roles')];
  const [ofClients, givenOfClients] = [withNewNames(mapOf(was, 'client'), to), mapOf(next, 'client')];
  const client = Object.keys(givenOfClients).map((clientId) => {
    const field = `roles.client.${clientId}`;
    const list = { keyed: keyed.role, mode: modeOf(to.modes, 'clientRoles'), field, container: clientId };
    return [clientId, mergedList(listOf(ofClients, clientId), listOf(givenOfClients, clientId), list, to)];
  });
  const mode = modeOf(to.modes, 'roles');
  return {
    ...was,
    ...(next.realm !== undefined && {
      realm: mergedList(
        listOf(was, 'realm'),
        listOf(next, 'realm'),
        { keyed: keyed.role, mode, field: 'roles.realm' },
        to,
      ),
    }),
    client: { ...ofClients, ...Object.fromEntries(client) },
  };
}

/** The texts of a realm by locale: a locale that the file does not have goes in the mode `FULL`. */
function mergedTexts(current: Json, given: Json, mode: Mode): Json {
  const [was, next] = [mapOf(current, 'localizationTexts'), mapOf(given, 'localizationTexts')];
  if (mode === 'FULL') return next;
  const locales = Object.entries(next).map(([locale, texts]) => {
    const known = mapOf(was, locale);
    return [locale, mode === 'ADD' ? { ...(texts as Json), ...known } : { ...known, ...(texts as Json) }];
  });
  return { ...was, ...Object.fromEntries(locales) };
}

/** Which roles of clients are in the scope of clients and client scopes, by the clientId of the roles. */
function mergedMappings(current: Json, given: Json, mode: Mode, to: Merging): Json {
  const was = withNewNames(mapOf(current, 'clientScopeMappings'), to);
  const next = mapOf(given, 'clientScopeMappings');
  const clients = Object.keys(next).map((clientId) => {
    const list = { keyed: keyed.scopeMapping, mode, field: `clientScopeMappings.${clientId}` };
    return [clientId, mergedList(listOf(was, clientId), listOf(next, clientId), list, to)];
  });
  return { ...(mode === 'FULL' ? {} : was), ...Object.fromEntries(clients) };
}
