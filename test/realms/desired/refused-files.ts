// Files that a realm cannot be as, each with the place of its fault. The realm has objects called `a`, `b`, and `c` of most kinds.

const cookie = { authenticator: 'auth-cookie', requirement: 'REQUIRED' };
const flow = (alias: string, ...authenticationExecutions: object[]) => ({
  ...{ alias, providerId: 'basic-flow', topLevel: true, builtIn: false },
  authenticationExecutions,
});

/** Policies of which the second one names something that does not exist, or is wrong in another way. */
const policies = (type: string, config: object, name = 'second') => ({
  policies: [
    { name: 'first', type: 'client', config: { clients: '["a"]' } },
    { name, type, config },
  ],
});

/** Settings of authorization services that are refused, each with the place of its fault. */
const refusedSettings: Record<string, [settings: object, path: (string | number)[]]> = {
  ...Object.fromEntries(
    Object.entries({
      roles: ['role', '[{"id":"ghost"}]'],
      users: ['user', '["ghost"]'],
      groups: ['group', '[{"path":"/ghost"}]'],
      clients: ['client', '["ghost"]'],
      clientScopes: ['client-scope', '[{"id":"ghost"}]'],
      resources: ['resource', '["ghost"]'],
      scopes: ['scope', '["ghost"]'],
      applyPolicies: ['aggregate', '["ghost"]'],
    }).map(([list, [type = '', names]]) => [
      `${list} of a policy`,
      [policies(type, { [list]: names }), ['policies', 1, 'config', list]] as [object, (string | number)[]],
    ]),
  ),
  'a list of a policy': [policies('role', { roles: '[{' }), ['policies', 1, 'config', 'roles']],
  'a type of a policy': [policies('ghost', {}), ['policies', 1, 'type']],
  'a policy that applies itself': [policies('aggregate', { applyPolicies: '["second"]' }), ['policies', 1]],
  'a policy without a name': [
    { policies: [{ type: 'client', config: { clients: '["a"]' } }] },
    ['policies', 0, 'name'],
  ],
  'a scope without a name': [{ scopes: [{ name: 'a' }, {}] }, ['scopes', 1, 'name']],
  'a resource without a name': [{ resources: [{ name: 'a' }, { uris: [] }] }, ['resources', 1, 'name']],
  'a scope of a resource without a name': [
    { resources: [{ name: 'a', scopes: [{ name: 'a' }, {}] }] },
    ['resources', 0, 'scopes', 1, 'name'],
  ],
  'the owner of a resource': [
    { resources: [{ name: 'a' }, { name: 'b', owner: { name: 'ghost' } }] },
    ['resources', 1, 'owner'],
  ],
};

/** A file that is refused, with the place of its fault, and what the command line calls that. */
export type Refused = [file: object, path: (string | number)[], called?: string];

/** Files that are refused, each with the place of its fault. */
export const refused: Record<string, Refused> = {
  'a role of users': [
    { users: [{ username: 'anna' }, { username: 'B', realmRoles: ['a', 'ghost'] }] },
    ['users', 1, 'realmRoles', 1],
    'users[B].realmRoles[1]',
  ],
  'a role of a client': [
    { users: [{ username: 'anna', clientRoles: { 'my.app': ['ghost'] } }] },
    ['users', 0, 'clientRoles', 'my.app', 0],
    'users[anna].clientRoles[my.app][0]',
  ],
  'a composite': [
    { roles: { realm: [{ name: 'z' }, { name: 'y', composites: { realm: ['z', 'ghost'] } }] } },
    ['roles', 'realm', 1, 'composites', 'realm', 1],
    'roles.realm[y].composites.realm[1]',
  ],
  'a composite of a client role': [
    { roles: { client: { 'my.app': [{ name: 'z', composites: { client: { a: ['ghost'] } } }] } } },
    ['roles', 'client', 'my.app', 0, 'composites', 'client', 'a', 0],
    'roles.client[my.app][z].composites.client.a[0]',
  ],
  'a role of a group': [
    { groups: [{ name: 'b' }, { name: 'a', subGroups: [{ name: 'z' }, { name: 'c', realmRoles: ['ghost'] }] }] },
    ['groups', 1, 'subGroups', 1, 'realmRoles', 0],
    'groups[a].subGroups[c].realmRoles[0]',
  ],
  'a group of users': [
    { users: [{ username: 'c', groups: ['/a', '/nowhere'] }] },
    ['users', 0, 'groups', 1],
    'users[c].groups[1]',
  ],
  'an address of a client': [
    { clients: [{ clientId: 'z' }, { clientId: 'b', redirectUris: ['https://x/#y'] }] },
    ['clients', 1, 'redirectUris', 0],
    'clients[b].redirectUris[0]',
  ],
  'an address of a provider': [
    { identityProviders: [{ alias: 'c', providerId: 'oidc', config: { authorizationUrl: 'javascript:x' } }] },
    ['identityProviders', 0, 'config', 'authorizationUrl'],
    'identityProviders[c].config.authorizationUrl',
  ],
  'a client without a name': [
    { clients: [{ clientId: 'z' }, { name: 'z' }] },
    ['clients', 1, 'clientId'],
    'clients[1].clientId',
  ],
  'a mapping of scopes': [
    { scopeMappings: [{ client: 'a', roles: ['b', 'ghost'] }] },
    ['scopeMappings', 0, 'roles', 1],
    'scopeMappings[client a].roles[1]',
  ],
  'a flow of the realm': [{ browserFlow: 'ghost' }, ['browserFlow'], 'browserFlow'],
  'a type': [
    { clients: [{ clientId: 'b', redirectUris: 'x' }] },
    ['clients', 0, 'redirectUris'],
    'clients[b].redirectUris',
  ],
  'a role without a name': [{ roles: { realm: [{ name: 'z' }, {}] } }, ['roles', 'realm', 1, 'name']],
  'an empty name of a client role': [
    { roles: { client: { 'my.app': [{ name: 'z' }, { name: '' }] } } },
    ['roles', 'client', 'my.app', 1, 'name'],
  ],
  'a client of composites': [
    { roles: { realm: [{ name: 'c', composites: { client: { ghost: ['a'] } } }] } },
    ['roles', 'realm', 0, 'composites', 'client', 'ghost'],
  ],
  'a client of the roles of users': [
    { users: [{ username: 'b', clientRoles: { a: ['a'], ghost: ['a'] } }] },
    ['users', 0, 'clientRoles', 'ghost'],
  ],
  'a client of the roles of groups': [
    { groups: [{ name: 'b', clientRoles: { ghost: ['a'] } }] },
    ['groups', 0, 'clientRoles', 'ghost'],
  ],
  'a scope of consents': [
    { users: [{ username: 'b', clientConsents: [{ clientId: 'a', grantedClientScopes: ['email', 'ghost'] }] }] },
    ['users', 0, 'clientConsents', 0, 'grantedClientScopes', 1],
  ],
  'a mapper without a name': [
    { clients: [{ clientId: 'b', protocolMappers: [{ name: 'a' }, { protocol: 'saml' }] }] },
    ['clients', 0, 'protocolMappers', 1, 'name'],
  ],
  'a flow of a client': [
    { clients: [{ clientId: 'b', authenticationFlowBindingOverrides: { browser: 'ghost' } }] },
    ['clients', 0, 'authenticationFlowBindingOverrides', 'browser'],
  ],
  'a component without a provider': [
    { components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'a', providerId: 'other' }, { name: 'b' }] } },
    ['components', 'org.keycloak.storage.UserStorageProvider', 1, 'providerId'],
  ],
  'a configuration without a name': [
    { authenticatorConfig: [{ alias: 'a', config: {} }, { config: {} }] },
    ['authenticatorConfig', 1, 'alias'],
  ],
  'a required action without a name': [
    { requiredActions: [{ alias: 'a', name: 'A' }, { name: 'B' }] },
    ['requiredActions', 1, 'alias'],
  ],
  ...Object.fromEntries(
    (
      [
        [{ requirement: 'MUST' }, 'requirement'],
        [{}, 'requirement'],
        [{ requirement: 'REQUIRED', flowAlias: 'ghost', autheticatorFlow: true }, 'flowAlias'],
        [{ requirement: 'REQUIRED', authenticatorConfig: 'ghost' }, 'authenticatorConfig'],
      ] as const
    ).map(([step, field]): [string, Refused] => [
      `a step of a flow: ${JSON.stringify(step)}`,
      [
        { authenticationFlows: [flow('z', cookie), flow('y', cookie, step)] },
        ['authenticationFlows', 1, 'authenticationExecutions', 1, field],
      ],
    ]),
  ),
  'a flow that contains itself': [
    { authenticationFlows: [flow('z', cookie), flow('y', { requirement: 'REQUIRED', flowAlias: 'y' })] },
    ['authenticationFlows', 1],
  ],
  'a client profile': [
    { clientProfiles: { profiles: [{ name: 'a' }, { name: 'b', executors: [{ executor: 'ghost' }] }] } },
    ['clientProfiles', 'profiles', 1],
  ],
  'two client profiles': [
    { clientProfiles: { profiles: [{ name: 'a' }, { name: 'a' }] } },
    ['clientProfiles', 'profiles', 1],
  ],
  'a client policy': [
    { clientPolicies: { policies: [{ name: 'a' }, { name: 'b', profiles: ['ghost'] }] } },
    ['clientPolicies', 'policies', 1],
  ],
  ...Object.fromEntries(
    Object.entries(refusedSettings).map(([name, [settings, path]]): [string, Refused] => [
      `authorization settings: ${name}`,
      [
        { clients: [{ clientId: 'z' }, { clientId: 'c', authorizationSettings: settings }] },
        ['clients', 1, 'authorizationSettings', ...path],
      ],
    ]),
  ),
};
