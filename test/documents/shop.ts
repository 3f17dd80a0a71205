/** The realm of the examples in the documents, with what their GraphQL blocks name: by these IDs, and by these names. */
export const shop = {
  realm: 'shop',
  id: '1',
  enabled: true,
  adminEventsEnabled: true,
  adminEventsDetailsEnabled: true,
  groups: [
    { id: '2', name: 'spring-sale' },
    { id: '3', name: 'summer-sale' },
    { name: 'support', realmRoles: ['helpdesk'], subGroups: [{ name: 'eu' }] },
  ],
  roles: {
    realm: [
      { id: '5', name: 'clerk' },
      { name: 'helpdesk', composite: true, composites: { realm: ['lead'] } },
      { name: 'lead', composite: true, composites: { client: { 'realm-management': ['manage-users'] } } },
    ],
  },
  clients: [
    {
      id: '4',
      clientId: 'api',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
      authorizationSettings: {
        policies: [
          { name: 'Sellers', type: 'role', config: { roles: '[{ "id": "helpdesk", "required": true }]' } },
          { name: 'Opening hours', type: 'time', config: { hour: '9', hourEnd: '17' } },
        ],
      },
    },
  ],
  users: [
    { id: '6', username: 'ann', enabled: true, groups: ['/support/eu'] },
    { id: '7', username: 'bob', enabled: true },
  ],
} as const;
