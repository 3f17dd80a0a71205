import type { Pause } from '../../../database/turns.js';
import { isObject } from '../../core/json.js';
import { withReplacedIds } from '../../core/own-id.js';
import { mergedUser } from './credentials.js';
import { mergedGroups } from './group-tree.js';
import {
  defaultLists,
  type Json,
  type Keyed,
  type Kind,
  keyed,
  kinds,
  listOf,
  type Mode,
  mapOf,
  modeOf,
} from './kinds.js';
import { withFieldsOf } from './lifecycle.js';
import {
  exactList,
  type Merging,
  mergedList,
  mergedLongList,
  nameKey,
  ownerFields,
  realmIds,
  withOwners,
  withoutMasks,
} from './merge-list.js';
import { objectName, text } from './objects.js';
import { secretOf } from './secret-version.js';
import { mergedSettings, replacedLists } from './settings.js';
import { authenticatorConfigWithoutSecrets, componentWithoutSecrets } from './without-secrets.js';

const withMappers =
  (to: Merging) =>
  (current: Json, given: Json, field: string): Json => ({
    ...current,
    ...given,
    ...exactList(
      keyed.protocolMapper,
      current,
      given,
      'protocolMappers',
      { field, owner: current.id, mode: modeOf(to.modes, 'protocolMappers') },
      to,
    ),
  });

/** A client without its authorization services, which `mergeAuthorization` merges. */
const mergeClient =
  (to: Merging) =>
  (current: Json, given: Json, field: string): Json => {
    const { authorizationSettings, ...merged } = {
      ...withMappers(to)(current, given, field),
      ...secretOf(current, given),
    };
    const kept = current.authorizationSettings;
    return kept === undefined ? merged : { ...merged, authorizationSettings: kept };
  };

/**
 * Merges the authorization services of clients after everything else. Their objects are found by names that can contain
 * IDs of other objects, such as `role.resource.<id>`. The file may have other IDs for these than the realm.
 */
function mergeAuthorization(current: Json, given: Json, clients: readonly Json[], to: Merging): void {
  const own = new Map(listOf(current, 'clients').map((client) => [client.id, client]));
  const nameOf = ({ id, clientId }: Json) => id ?? clientId;
  const places = new Map(listOf(given, 'clients').map((client, index) => [nameOf(client), `clients.${index}`]));
  const ids = realmIds(to.names);
  for (const client of clients) {
    const file = to.names.given.get(client);
    if (file?.authorizationSettings === undefined) continue;
    const was = mapOf(own.get(client.id) ?? {}, 'authorizationSettings');
    const next = withReplacedIds(mapOf(file, 'authorizationSettings'), ids);
    const at = { field: `${places.get(nameOf(file))}.authorizationSettings`, owner: client.id };
    client.authorizationSettings = {
      ...was,
      ...next,
      ...exactList(keyed.authorizationScope, was, next, 'scopes', at, to),
      ...exactList(keyed.authorizationResource, was, next, 'resources', at, to),
      ...exactList(keyed.authorizationPolicy, was, next, 'policies', at, to),
    };
  }
}

/** Merges components by the type of their provider: a type that the file does not have stays unchanged. */
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
      {
        ...{ keyed: keyed.component, mode, field: `${field}.${type}`, merge },
        withoutSecrets: (component) => componentWithoutSecrets(type, component),
      },
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

/** The fields that are merged separately, and the fields that identify the realm. */
const merged: ReadonlySet<string> = new Set([
  ...kinds,
  ...defaultLists,
  ...['roles', 'clientScopeMappings', 'defaultRole', 'id', 'realm'],
]);
const isSetting = (name: string): boolean => !merged.has(name);

/**
 * The desired state of a realm: its current RealmRepresentation with the values of the file. An object keeps the fields
 * that the file does not give. A field that the file gives is replaced as a whole. Throws `invalid` or `conflict` with
 * the place in the file.
 */
export async function mergedRealm(current: Json, given: Json, merging: Merging, pause: Pause): Promise<Json> {
  const to = { ...merging, formerNames: withDefaultRole(current, given, merging.formerNames) };
  const mode = (kind: Kind): Mode => modeOf(to.modes, kind);
  // before the lists whose objects are named after clients
  const clients =
    given.clients !== undefined &&
    (await mergedLongList(
      listOf(current, 'clients'),
      listOf(given, 'clients'),
      { keyed: keyed.client, mode: mode('clients'), field: 'clients', merge: mergeClient(to) },
      { ...to, pause },
    ));
  await pause();
  const lists = Object.entries(plainLists).flatMap(([name, kind]) => {
    const owners = name in ownerFields ? ownerFields[name as keyof typeof ownerFields] : {};
    const own = withOwners(listOf(current, name), owners, to.names);
    if (given[name] === undefined) return current[name] === undefined ? [] : [[name, own]];
    const merge = name === 'clientScopes' ? withMappers(to) : undefined;
    const withoutSecrets = name === 'authenticatorConfig' ? authenticatorConfigWithoutSecrets : undefined;
    const list = {
      ...{ keyed: kind, mode: mode(name as Kind), field: name },
      ...(merge && { merge }),
      ...(withoutSecrets && { withoutSecrets }),
    };
    return [[name, mergedList(own, listOf(given, name), list, to)]];
  });
  const settings = Object.fromEntries(Object.entries(given).filter(([name]) => isSetting(name)));
  const merged = {
    ...mergedSettings(
      current,
      withMailPassword(current, withoutMasks(settings, current, to.names.lost, given)),
      modeOf(to.modes, 'settings'),
      isSetting,
    ),
    ...replacedLists(given, to.modes),
    ...Object.fromEntries(lists),
    ...(clients && { clients }),
  };
  await pause();
  const roles = mergedRoles(current, given, to);
  await pause();
  const groups = given.groups !== undefined && mergedGroups(current, given, mode('groups'), to);
  await pause();
  const components =
    given.components !== undefined &&
    mergedComponents(mapOf(current, 'components'), mapOf(given, 'components'), 'components', mode('components'), to);
  const users = given.users !== undefined && (await mergedUsers(current, given, mode('users'), { ...to, pause }));
  const whole = {
    ...merged,
    roles,
    ...(groups && { groups }),
    ...(components && { components }),
    ...(users && { users }),
    ...(given.localizationTexts !== undefined && {
      localizationTexts: mergedTexts(current, given, mode('localizationTexts')),
    }),
    clientScopeMappings: mergedMappings(current, given, mode('scopeMappings'), to),
  };
  await pause();
  if (clients) mergeAuthorization(current, given, clients, to);
  const realm = withFieldsOf(
    current,
    whole,
    to.ignored.get(objectName({ kind: 'REALM', key: text(current.realm) })) ?? [],
  );
  to.names.given.set(realm, given);
  return realm;
}

/** Users are merged last, when the changes of all names that they use are known. */
async function mergedUsers(current: Json, given: Json, mode: Mode, to: Merging & { pause: Pause }): Promise<Json[]> {
  const areNamesKept = to.names.changed.size === 0;
  const merge = (was: Json, next: Json) => mergedUser(was, next, areNamesKept);
  return mergedLongList(
    listOf(current, 'users'),
    listOf(given, 'users'),
    { keyed: keyed.user, mode, field: 'users', merge },
    to,
  );
}

/** Settings with the realm's password for the mail server, unless the file gives another one. */
function withMailPassword(current: Json, settings: Json): Json {
  const { password } = mapOf(current, 'smtpServer');
  if (!isObject(settings.smtpServer) || password === undefined) return settings;
  return { ...settings, smtpServer: { password, ...settings.smtpServer } };
}

/** Treats the default role of the file as the default role of the realm, even if its name differs. */
function withDefaultRole(current: Json, given: Json, formerNames: Merging['formerNames']): Merging['formerNames'] {
  const [own, wanted] = [mapOf(current, 'defaultRole').name, mapOf(given, 'defaultRole').name];
  const at = listOf(mapOf(given, 'roles'), 'realm').findIndex(({ name }) => name === wanted);
  if (wanted === undefined || wanted === own || typeof own !== 'string' || at < 0) return formerNames;
  return new Map(formerNames).set(`roles.realm.${at}`, own);
}

/** A map by clientId with the new names of renamed clients, and without deleted clients. */
const withNewNames = (map: Json, { names: { changed } }: Merging): Json =>
  Object.fromEntries(
    Object.entries(map).flatMap(([clientId, value]) => {
      const key = nameKey('Client', clientId);
      const now = changed.has(key) ? changed.get(key) : clientId;
      return now === undefined ? [] : [[now, value]];
    }),
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

/** The texts of a realm by locale. The mode `FULL` deletes a locale that the file does not have. */
function mergedTexts(current: Json, given: Json, mode: Mode): Json {
  const was = mapOf(current, 'localizationTexts');
  const next = withoutMasks(mapOf(given, 'localizationTexts'), was);
  if (mode === 'FULL') return next;
  const locales = Object.entries(next).map(([locale, texts]) => {
    const known = mapOf(was, locale);
    return [locale, mode === 'ADD' ? { ...(texts as Json), ...known } : { ...known, ...(texts as Json) }];
  });
  return { ...was, ...Object.fromEntries(locales) };
}

/** The client roles in the scope of clients and client scopes, by the clientId of the roles. */
function mergedMappings(current: Json, given: Json, mode: Mode, to: Merging): Json {
  const named = withNewNames(mapOf(current, 'clientScopeMappings'), to);
  const was = Object.fromEntries(
    Object.keys(named).map((id) => [id, withOwners(listOf(named, id), ownerFields.scopeMappings, to.names)]),
  );
  if (given.clientScopeMappings === undefined) return was;
  const next = mapOf(given, 'clientScopeMappings');
  const clients = Object.keys(next).map((clientId) => {
    const list = { keyed: keyed.scopeMapping, mode, field: `clientScopeMappings.${clientId}` };
    return [clientId, mergedList(listOf(was, clientId), listOf(next, clientId), list, to)];
  });
  return { ...(mode === 'FULL' ? {} : was), ...Object.fromEntries(clients) };
}
