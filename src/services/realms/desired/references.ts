import type { ModelName } from '../../../database/db.js';
import { isObject } from '../../core/json.js';
import { bindingNames } from '../assemble/settings.js';
import { type Json, listOf, mapOf } from './kinds.js';
import { type Names, nameKey } from './merge-list.js';

/** Every object and list of a value. */
export function containersOf(value: unknown, into = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null) return into;
  into.add(value);
  for (const item of Object.values(value)) containersOf(item, into);
  return into;
}

type Rename = (name: string) => string | undefined;

/**
 * A realm in which everything that the file does not say itself follows what it does: what is renamed is named by its new
 * name, and what goes is named no more. `ownOf` gives the objects and lists that are the realm's; those of the file are left
 * as they are, so that a name in the file which stands for nothing is refused.
 */
export function withCurrentNames(realm: Json, { changed }: Names, ownOf: () => ReadonlySet<object>): Json {
  if (changed.size === 0) return realm;
  const own = ownOf();
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

  /** A map whose keys are clientIds. */
  const byClient = (map: unknown, convert: (value: unknown, clientId: string) => unknown): unknown =>
    isObject(map)
      ? Object.fromEntries(
          Object.entries(map).flatMap(([clientId, value]) => {
            const isOwn = own.has(map) || (typeof value === 'object' && value !== null && own.has(value));
            const now = isOwn ? client(clientId) : clientId;
            return now === undefined ? [] : [[now, convert(value, clientId)]];
          }),
        )
      : map;
  const rolesByClient = (map: unknown) => byClient(map, (list, clientId) => names(list, renamed('Role', clientId)));
  const field = (object: Json, name: string, convert: (value: unknown) => unknown): Json =>
    object[name] === undefined ? {} : { [name]: convert(object[name]) };
  const textField = (object: Json, name: string, rename: Rename): Json => {
    const value = object[name];
    if (typeof value !== 'string') return {};
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
  const groups = groupPaths(changed);
  const groupTree = (object: Json): Json => ({
    ...holder(object),
    ...field(object, 'subGroups', () => listOf(object, 'subGroups').map(groupTree)),
  });
  const mappings = (list: unknown, rename: Rename): unknown =>
    Array.isArray(list)
      ? list.filter(isObject).flatMap((mapping) => {
          const now = {
            ...mapping,
            ...textField(mapping, 'client', client),
            ...textField(mapping, 'clientScope', scope),
            ...field(mapping, 'roles', (names_) => names(names_, rename)),
          } as Json;
          return now.client === undefined && now.clientScope === undefined ? [] : [now];
        })
      : list;

  const scopesOf = (object: Json): Json => ({
    ...field(object, 'defaultClientScopes', (list) => names(list, scope)),
    ...field(object, 'optionalClientScopes', (list) => names(list, scope)),
  });
  const policies = (object: Json): Json =>
    field(object, 'authorizationSettings', (settings) =>
      isObject(settings)
        ? {
            ...settings,
            ...field(settings, 'policies', () =>
              listOf(settings, 'policies').map((policy) =>
                own.has(policy)
                  ? withCurrentSubjects(policy, {
                      role,
                      clientRole: (id) => renamed('Role', id),
                      client,
                      scope,
                      group: groups,
                    })
                  : policy,
              ),
            ),
          }
        : settings,
    );
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
      listOf(realm, 'clients').map((object) => ({ ...object, ...scopesOf(object), ...policies(object) })),
    ),
    ...field(realm, 'users', () =>
      listOf(realm, 'users').flatMap((user) => {
        const served = user.serviceAccountClientId;
        // the service account goes with its client
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
    ...field(realm, 'identityProviderMappers', () =>
      listOf(realm, 'identityProviderMappers').map((mapper) => ({
        ...mapper,
        // mappers stay where their provider goes, as when it is deleted by hand
        ...textField(mapper, 'identityProviderAlias', (alias) => provider(alias) ?? alias),
      })),
    ),
  };

  function linksOf(user: Json): Json {
    return {
      ...field(user, 'groups', (list) => names(list, groups)),
      ...field(user, 'federatedIdentities', () =>
        listOf(user, 'federatedIdentities').map((link) => ({
          ...link,
          ...textField(link, 'identityProvider', (alias) => provider(alias) ?? alias),
        })),
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

/** The path of a group now, where it or one above it was renamed or goes. */
function groupPaths(changed: Names['changed']): Rename {
  return (path) => {
    let now = '';
    let before = '';
    for (const name of path.split('/').slice(1)) {
      const key = nameKey('Group', name, before);
      const next = changed.has(key) ? changed.get(key) : name;
      if (next === undefined) return undefined;
      before += `/${name}`;
      now += `/${next}`;
    }
    return now;
  };
}

interface Renames {
  role: Rename;
  clientRole: (clientId: string) => Rename;
  client: Rename;
  scope: Rename;
  group: Rename;
}

/** The lists of a policy that name objects of the realm, and how each entry names one. */
function withCurrentSubjects(policy: Json, { role, clientRole, client, scope, group }: Renames): Json {
  const config = mapOf(policy, 'config');
  const roleName: Rename = (name) => {
    const at = name.indexOf('/');
    if (at <= 0) return role(name);
    const [clientId, own] = [client(name.slice(0, at)), clientRole(name.slice(0, at))(name.slice(at + 1))];
    return clientId === undefined || own === undefined ? undefined : `${clientId}/${own}`;
  };
  const lists: Record<string, Rename> = { roles: roleName, clients: client, clientScopes: scope, groups: group };
  const next = Object.entries(lists).flatMap(([name, rename]) => {
    const text = config[name];
    return typeof text === 'string' ? [[name, JSON.stringify(renamedEntries(text, rename))]] : [];
  });
  return { ...policy, config: { ...config, ...Object.fromEntries(next) } };
}

function renamedEntries(text: string, rename: Rename): unknown {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    // refused where the policy is put together
    return text;
  }
  if (!Array.isArray(entries)) return entries;
  return entries.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return rename(entry) ?? [];
    if (!isObject(entry)) return [entry];
    const name = 'path' in entry ? 'path' : 'id';
    const value = entry[name];
    if (typeof value !== 'string') return [entry];
    const now = rename(value);
    return now === undefined ? [] : [{ ...entry, [name]: now }];
  });
}
