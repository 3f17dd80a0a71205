import { type Parameters, parametersOf, realmWithEverything } from '../matrix/addresses.js';
import type { Caller } from '../support/fixture.js';

const everyPolicy = [
  { name: 'people', type: 'user', config: { users: '["plain"]' } },
  { name: 'teams', type: 'group', config: { groups: '[{"path":"/staff","extendChildren":false}]' } },
  { name: 'apps', type: 'client', config: { clients: '["shop"]' } },
  { name: 'scopes', type: 'client-scope', config: { clientScopes: '[{"id":"email","required":false}]' } },
  { name: 'hours', type: 'time', config: { hour: '1', hourEnd: '20' } },
  { name: 'pattern', type: 'regex', config: { targetClaim: 'sub', pattern: '.*' } },
  { name: 'all', type: 'aggregate', config: { applyPolicies: '["people","teams"]' } },
  { name: 'things', type: 'resource', config: { resources: '["thing"]', applyPolicies: '["people"]' } },
];

/** A realm in which every list of the administration has something. */
export function realmWithLists(realm: string) {
  const { roles, clients, users, ...rest } = realmWithEverything(realm);
  const [shop] = clients;
  const [plain] = users;
  const settings = shop?.authorizationSettings;
  const [clerks, using] = settings?.policies ?? [];
  return {
    ...rest,
    adminEventsDetailsEnabled: true,
    roles: {
      realm: [
        ...roles.realm,
        { name: 'auditor' },
        { name: 'all', composites: { realm: ['clerk'], client: { shop: ['buyer'] } } },
      ],
      client: { shop: [...roles.client.shop, { name: 'buyer' }, { name: 'packer' }] },
    },
    groups: [{ ...rest.groups[0], clientRoles: { shop: ['seller'] } }],
    defaultGroups: ['/staff'],
    clients: [
      {
        ...shop,
        fullScopeAllowed: false,
        directAccessGrantsEnabled: true,
        adminUrl: 'http://127.0.0.1:9/',
        registeredNodes: { 'node.example': 1 },
        authorizationSettings: {
          resources: [{ name: 'thing', scopes: ['use'], attributes: { colour: ['red'] }, uris: ['/thing'] }],
          policies: [
            clerks,
            ...everyPolicy,
            { ...using, config: { resources: '["thing"]', scopes: '["use"]', applyPolicies: '["clerks"]' } },
          ],
        },
      },
    ],
    users: [
      {
        ...plain,
        realmRoles: ['clerk', 'offline_access'],
        federatedIdentities: [{ identityProvider: 'partner', userId: '1', userName: 'p' }],
        clientConsents: [{ clientId: 'shop', grantedClientScopes: ['email'] }],
      },
    ],
  };
}

/** What the paths name in that realm, after what a realm file cannot hold was added to it. */
export async function fillRealm(admin: Caller, realm: string): Promise<Parameters> {
  const params = await parametersOf(admin, realm);
  const send = (method: string, path: string, body?: unknown) => admin.send(method, `/${realm}${path}`, body);
  const shop = `/clients/${params.client}`;
  const clerk = (await send('GET', '/roles/clerk')).body;
  const seller = (await send('GET', `${shop}/roles/seller`)).body;
  for (const owner of [shop, `/client-scopes/${params.clientScopeId}`]) {
    await send('POST', `${owner}/scope-mappings/realm`, [clerk]);
    await send('POST', `${owner}/scope-mappings/clients/${params.client}`, [seller]);
  }
  for (const role of [clerk, seller]) {
    const auditor = (await send('GET', '/roles/auditor')).body;
    const buyer = (await send('GET', `${shop}/roles/buyer`)).body;
    await send('POST', `/roles-by-id/${role.id}/composites`, [auditor, buyer]);
  }
  const broker = (await send('GET', '/clients?clientId=broker')).body[0].id;
  const readToken = (await send('GET', `/clients/${broker}/roles`)).body;
  await send('POST', `${shop}/scope-mappings/clients/${broker}`, readToken.slice(0, 1));
  await send('POST', `${shop}/certificates/jwt.credential/generate`);
  const named = (name: string) => send('GET', `${shop}/authz/resource-server/policy?name=${name}`);
  const using = (await named('using')).body[0].id;
  return {
    ...params,
    roleContainerId: realm,
    'components:id': params.id ?? '',
    'policy:policy-id': using,
    'permission:policy-id': using,
  };
}
