import { isObject, members, textsOf } from '../../services/core/json.js';
import { defaultClientScopes } from '../../services/realms/defaults/client-scopes.js';
import { adminClient, defaultClients } from '../../services/realms/defaults/clients.js';
import { defaultAuthenticatorConfigs, defaultFlows, samlEcpFlow } from '../../services/realms/defaults/flows.js';
import { masterName } from '../../services/realms/defaults/master.js';
import { defaultRoleName, offlineAccess, umaAuthorization } from '../../services/realms/defaults/roles.js';
import { flowBindings } from '../../services/realms/defaults/settings.js';
import type { Step } from './shape.js';

type Realm = Record<string, unknown>;
interface Reference {
  path: Step[];
  name: string;
}

/** A name that an object has and no object of the files bears. */
export interface MissingReference {
  path: Step[];
  /** the kind of the object, as sentences name it */
  called: string;
  name: string;
}

const items = (value: unknown): Realm[] => (Array.isArray(value) ? value.filter(isObject) : []);
const namesOf = (value: unknown, field: string): string[] => items(value).flatMap((item) => textsOf([item[field]]));

/** References in the lists of texts that objects have in a field. */
const inTexts = (value: unknown, path: Step[]): Reference[] =>
  textsOf(value).map((name, index) => ({ name, path: [...path, index] }));

const inField = (owner: Realm, field: string, path: Step[]): Reference[] =>
  textsOf([owner[field]])
    .filter((name) => name !== '')
    .map((name) => ({ name, path: [...path, field] }));

/** The references of each object of a list. */
const ofEach = (realm: Realm, list: string, referencesOf: (item: Realm, path: Step[]) => Reference[]): Reference[] =>
  items(realm[list]).flatMap((item, index) => referencesOf(item, [list, index]));

/** A kind whose objects are referred to by name. References are checked only if the files have the kind. */
interface Target {
  called: string;
  names(realm: Realm): readonly string[] | undefined;
  /** names that every realm has, whether or not the files do */
  builtIn(realm: Realm): readonly string[];
  references(realm: Realm): Reference[];
}

const mentioned = (value: unknown, names: () => string[]): string[] | undefined =>
  value === undefined ? undefined : names();

const nameOfRealm = ({ realm }: Realm): string => (typeof realm === 'string' ? realm : '');

const builtInClients = (realm: Realm): string[] => {
  const name = nameOfRealm(realm);
  const own = [...defaultClients(name, name === masterName), ...defaultClients(name, false)];
  return [...own.map(({ client }) => client.clientId), adminClient(name).clientId];
};

function pathsOf(groups: unknown, parent = ''): string[] {
  return items(groups).flatMap((group) => {
    const path = `${parent}/${
      group['name'] ??
      String(group['path'] ?? '')
        .split('/')
        .at(-1)
    }`;
    return [path, ...pathsOf(group['subGroups'], path)];
  });
}

const rolesOfGroups = (groups: unknown, path: Step[]): Reference[] =>
  items(groups).flatMap((group, index) => [
    ...inTexts(group['realmRoles'], [...path, index, 'realmRoles']),
    ...rolesOfGroups(group['subGroups'], [...path, index, 'subGroups']),
  ]);

const scopeMappings = (realm: Realm): { mapping: Realm; path: Step[] }[] => [
  ...items(realm['scopeMappings']).map((mapping, index) => ({ mapping, path: ['scopeMappings', index] })),
  ...Object.entries(members(realm['clientScopeMappings'])).flatMap(([client, list]) =>
    items(list).map((mapping, index) => ({ mapping, path: ['clientScopeMappings', client, index] })),
  ),
];

const targets: readonly Target[] = [
  {
    called: 'group',
    names: ({ groups }) => mentioned(groups, () => pathsOf(groups)),
    builtIn: () => [],
    references: (realm) =>
      [
        ...inTexts(realm['defaultGroups'], ['defaultGroups']),
        ...ofEach(realm, 'users', ({ groups }, path) => inTexts(groups, [...path, 'groups'])),
      ].map((one) => ({ ...one, name: one.name.startsWith('/') ? one.name : `/${one.name}` })),
  },
  {
    called: 'realm role',
    names: ({ roles }) => mentioned(members(roles)['realm'], () => namesOf(members(roles)['realm'], 'name')),
    builtIn: (realm) => [defaultRoleName(nameOfRealm(realm)), offlineAccess.name, umaAuthorization.name],
    references: (realm) => [
      ...items(members(realm['roles'])['realm']).flatMap(({ composites }, index) =>
        inTexts(members(composites)['realm'], ['roles', 'realm', index, 'composites', 'realm']),
      ),
      ...rolesOfGroups(realm['groups'], ['groups']),
      ...ofEach(realm, 'users', ({ realmRoles }, path) => inTexts(realmRoles, [...path, 'realmRoles'])),
    ],
  },
  {
    called: 'client scope',
    names: ({ clientScopes }) => mentioned(clientScopes, () => namesOf(clientScopes, 'name')),
    builtIn: () => defaultClientScopes.map(({ scope }) => scope.name),
    references: (realm) => [
      ...['defaultDefaultClientScopes', 'defaultOptionalClientScopes'].flatMap((name) => inTexts(realm[name], [name])),
      ...ofEach(realm, 'clients', (client, path) =>
        ['defaultClientScopes', 'optionalClientScopes'].flatMap((name) => inTexts(client[name], [...path, name])),
      ),
      ...scopeMappings(realm).flatMap(({ mapping, path }) => inField(mapping, 'clientScope', path)),
    ],
  },
  {
    called: 'client',
    names: ({ clients }) => mentioned(clients, () => namesOf(clients, 'clientId')),
    builtIn: builtInClients,
    references: (realm) => [
      ...scopeMappings(realm).flatMap(({ mapping, path }) => inField(mapping, 'client', path)),
      ...Object.keys(members(members(realm['roles'])['client'])).map((name) => ({
        name,
        path: ['roles', 'client', name],
      })),
    ],
  },
  {
    called: 'authentication flow',
    names: ({ authenticationFlows: flows }) => mentioned(flows, () => namesOf(flows, 'alias')),
    builtIn: () => [...defaultFlows.map(({ alias }) => alias), samlEcpFlow],
    references: (realm) => [
      ...Object.keys(flowBindings).flatMap((name) => inField(realm, name, [])),
      ...ofEach(realm, 'authenticationFlows', ({ authenticationExecutions: steps }, path) =>
        items(steps).flatMap((step, index) => inField(step, 'flowAlias', [...path, 'authenticationExecutions', index])),
      ),
      ...ofEach(realm, 'identityProviders', (provider, path) =>
        ['firstBrokerLoginFlowAlias', 'postBrokerLoginFlowAlias'].flatMap((name) => inField(provider, name, path)),
      ),
    ],
  },
  {
    called: 'authenticator configuration',
    names: ({ authenticatorConfig }) =>
      mentioned(authenticatorConfig, () => ['alias', 'id'].flatMap((name) => namesOf(authenticatorConfig, name))),
    builtIn: () => defaultAuthenticatorConfigs.map(({ alias }) => alias),
    references: (realm) =>
      ofEach(realm, 'authenticationFlows', ({ authenticationExecutions: steps }, path) =>
        items(steps).flatMap((step, index) =>
          inField(step, 'authenticatorConfig', [...path, 'authenticationExecutions', index]),
        ),
      ),
  },
  {
    called: 'identity provider',
    names: ({ identityProviders }) => mentioned(identityProviders, () => namesOf(identityProviders, 'alias')),
    builtIn: () => [],
    references: (realm) =>
      ofEach(realm, 'identityProviderMappers', (mapper, path) => inField(mapper, 'identityProviderAlias', path)),
  },
];

/** References to objects that neither the files nor the defaults of a realm have, for the kinds that the files mention. */
export const missingReferences = (realm: Realm): MissingReference[] =>
  targets.flatMap(({ called, names, builtIn, references }) => {
    const present = names(realm);
    if (!present) return [];
    const known = new Set([...present, ...builtIn(realm)]);
    return references(realm)
      .filter(({ name }) => !known.has(name))
      .map(({ path, name }) => ({ path, name, called }));
  });
