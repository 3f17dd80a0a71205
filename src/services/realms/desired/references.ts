import type { ModelName } from '../../../database/db.js';
import { isObject } from '../../core/json.js';
import { bindingNames } from '../assemble/settings.js';
import { groupPaths } from './group-tree.js';
import { type Json, listOf, mapOf } from './kinds.js';
import { type Names, nameKey } from './merge-list.js';

/** Every object and list of a value. */
function containersOf(value: unknown, into = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null) return into;
  into.add(value);
  for (const item of Object.values(value)) containersOf(item, into);
  return into;
}

/** Returns the name of an object after the change; undefined if it is deleted. */
type Rename = (name: string) => string | undefined;

/**
 * Updates names in all parts of a realm that do not come from the file: renamed objects get their new names, and
 * deleted objects are removed. `current` is the realm before the change. Objects and lists of the file stay unchanged,
 * so that an unknown name in the file is refused.
 */
export function withCurrentNames(realm: Json, { changed, given: fromFile }: Names, current: Json): Json {
  if (changed.size === 0) return realm;
  const own = containersOf(current);
  const renamed =
    (model: ModelName, container = ''): Rename =>
    (name) => {
      const key = nameKey(model, name, container);
      return changed.has(key) ? changed.get(key) : name;
    };
  const names = (list: unknown, rename: Rename): unknown => {
    if (!Array.isArray(list) || !own.has(list)) return list;
    return list.flatMap((name) => (typeof name === 'string' ? (rename(name) ?? []) : [name]));
  };
  const [role, client, scope, flow] = [
    renamed('Role'),
    renamed('Client'),
    renamed('ClientScope'),
    renamed('AuthenticationFlow'),
  ];
  const config = renamed('AuthenticatorConfig');
  const provider = renamed('IdentityProvider');

  /** A map by clientId. `convert` gets the new clientId, with which the names of its roles are found. */
  const byClient = (map: unknown, convert: (value: unknown, clientId: string) => unknown): unknown =>
    isObject(map)
      ? Object.fromEntries(
          Object.entries(map).flatMap(([clientId, value]) => {
            const now = own.has(map) ? client(clientId) : clientId;
            return now === undefined ? [] : [[now, convert(value, now)]];
          }),
        )
      : map;
  const rolesByClient = (map: unknown) => byClient(map, (list, clientId) => names(list, renamed('Role', clientId)));
  const field = (object: Json, name: string, convert: (value: unknown) => unknown): Json =>
    object[name] === undefined ? {} : { [name]: convert(object[name]) };
  const textField = (object: Json, name: string, rename: Rename): Json => {
    const value = object[name];
    const isOfRealm = own.has(object) || (fromFile.has(object) && fromFile.get(object)?.[name] === undefined);
    if (typeof value !== 'string' || !isOfRealm) return {};
    const now = rename(value);
    return now !== undefined || own.has(object) ? { [name]: now } : {};
  };

  const composites = (object: Json): Json =>
    field(object, 'composites', (value) =>
      isObject(value)
        ? {
            ...value,
            ...field(value, 'realm', (list) => names(list, role)),
            ...field(value, 'client', rolesByClient),
          }
        : value,
    );
  const roles = (list: Json[]): Json[] => list.map((object) => ({ ...object, ...composites(object) }));
  const holder = (object: Json): Json => ({
    ...object,
    ...field(object, 'realmRoles', (list) => names(list, role)),
    ...field(object, 'clientRoles', rolesByClient),
  });
  const groups = groupPaths(current, realm);
  const groupTree = (object: Json): Json => ({
    ...holder(object),
    ...field(object, 'subGroups', () => listOf(object, 'subGroups').map(groupTree)),
  });
  const mappings = (list: unknown, rename: Rename): unknown =>
    Array.isArray(list)
      ? list
          .filter(isObject)
          .map((mapping): Json => ({ ...mapping, ...field(mapping, 'roles', (roles_) => names(roles_, rename)) }))
      : list;

  const scopesOf = (object: Json): Json => ({
    ...field(object, 'defaultClientScopes', (list) => names(list, scope)),
    ...field(object, 'optionalClientScopes', (list) => names(list, scope)),
  });
  const authorization = (object: Json): Json =>
    field(object, 'authorizationSettings', (settings) => {
      if (!isObject(settings)) return settings;
      const resource = renamed('AuthorizationResource', String(object.id));
      const ownScope = renamed('AuthorizationScope', String(object.id));
      const renames: Renames = {
        roles: roleIn({ role, client, clientRole: (id) => renamed('Role', id) }),
        clients: client,
        clientScopes: scope,
        groups,
        users: renamed('User'),
        resources: resource,
        scopes: ownScope,
      };
      const scopesOfResource = (list: unknown): unknown =>
        Array.isArray(list) && own.has(list) ? renamedEntries(list, ownScope) : list;
      return {
        ...settings,
        ...field(settings, 'resources', () =>
          listOf(settings, 'resources').map((one) => ({ ...one, ...field(one, 'scopes', scopesOfResource) })),
        ),
        ...field(settings, 'policies', () =>
          listOf(settings, 'policies').map((one) => (own.has(one) ? withCurrentSubjects(one, renames) : one)),
        ),
      };
    });
  const given = mapOf(realm, 'roles');
  return {
    ...realm,
    ...Object.assign({}, ...bindingNames.map((name) => textField(realm, name, flow))),
    ...field(realm, 'defaultGroups', (list) => names(list, groups)),
    ...field(realm, 'defaultDefaultClientScopes', (list) => names(list, scope)),
    ...field(realm, 'defaultOptionalClientScopes', (list) => names(list, scope)),
    ...field(realm, 'defaultRole', () => {
      const object = mapOf(realm, 'defaultRole');
      return { ...object, ...textField(object, 'name', role) };
    }),
    roles: {
      ...given,
      realm: roles(listOf(given, 'realm')),
      client: byClient(given.client, (list) => roles((list as unknown[]).filter(isObject))),
    },
    ...field(realm, 'groups', () => listOf(realm, 'groups').map(groupTree)),
    ...field(realm, 'clients', () =>
      listOf(realm, 'clients').map((object) => ({ ...object, ...scopesOf(object), ...authorization(object) })),
    ),
    ...field(realm, 'users', () =>
      listOf(realm, 'users').flatMap((user) => {
        const served = user.serviceAccountClientId;
        // the service account is deleted with its client
        if (typeof served === 'string' && own.has(user) && client(served) === undefined) return [];
        return [{ ...holder(user), ...textField(user, 'serviceAccountClientId', client), ...linksOf(user) }];
      }),
    ),
    ...field(realm, 'scopeMappings', (list) => mappings(list, role)),
    ...field(realm, 'clientScopeMappings', (map) =>
      byClient(map, (list, clientId) => mappings(list, renamed('Role', clientId))),
    ),
    ...field(realm, 'authenticationFlows', () =>
      listOf(realm, 'authenticationFlows').map((object) => ({
        ...object,
        ...field(object, 'authenticationExecutions', () =>
          listOf(object, 'authenticationExecutions').map((step) => ({
            ...step,
            ...textField(step, 'flowAlias', flow),
            ...textField(step, 'authenticatorConfig', config),
          })),
        ),
      })),
    ),
    ...field(realm, 'identityProviders', () =>
      listOf(realm, 'identityProviders').map((object) => ({
        ...object,
        ...textField(object, 'firstBrokerLoginFlowAlias', flow),
        ...textField(object, 'postBrokerLoginFlowAlias', flow),
      })),
    ),
  };

  function linksOf(user: Json): Json {
    return {
      ...field(user, 'groups', (list) => names(list, groups)),
      ...field(user, 'federatedIdentities', () =>
        listOf(user, 'federatedIdentities').flatMap((link) => {
          const now = { ...link, ...textField(link, 'identityProvider', provider) } as Json;
          return now.identityProvider === undefined ? [] : [now];
        }),
      ),
      ...field(user, 'clientConsents', () =>
        listOf(user, 'clientConsents').flatMap((consent) => {
          const now = {
            ...consent,
            ...textField(consent, 'clientId', client),
            ...field(consent, 'grantedClientScopes', (list) => names(list, scope)),
          } as Json;
          return now.clientId === undefined ? [] : [now];
        }),
      ),
    };
  }
}

/** How each entry of the lists of a policy names an object. */
type Renames = Record<string, Rename>;

/** Maps names of roles in policies. The name of a client role begins with the clientId. */
function roleIn({
  role,
  client,
  clientRole,
}: {
  role: Rename;
  client: Rename;
  clientRole: (clientId: string) => Rename;
}): Rename {
  return (name) => {
    const at = name.indexOf('/');
    // the name of a role of the realm may have a slash too
    if (at <= 0 || role(name) !== name) return role(name);
    const clientId = client(name.slice(0, at));
    const own = clientId === undefined ? undefined : clientRole(clientId)(name.slice(at + 1));
    return own === undefined ? undefined : `${clientId}/${own}`;
  };
}

/** A policy whose lists have the names of objects after the change. */
function withCurrentSubjects(policy: Json, renames: Renames): Json {
  const config = mapOf(policy, 'config');
  const next = Object.entries(renames).flatMap(([name, rename]) => {
    const text = config[name];
    return typeof text === 'string' ? [[name, JSON.stringify(renamedEntries(parsed(text), rename))]] : [];
  });
  return { ...policy, config: { ...config, ...Object.fromEntries(next) } };
}

/** The entries in a text. A text that cannot be read is refused when the policy is assembled. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function renamedEntries(entries: unknown, rename: Rename): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return rename(entry) ?? [];
    if (!isObject(entry)) return [entry];
    const name = ['path', 'name', 'id'].find((field) => typeof entry[field] === 'string');
    const value = name === undefined ? undefined : entry[name];
    if (name === undefined || typeof value !== 'string') return [entry];
    const now = rename(value);
    return now === undefined ? [] : [{ ...entry, [name]: now }];
  });
}
