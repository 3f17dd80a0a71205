// Works on the realm acme with the official Keycloak admin client, unchanged.
// node examples/admin-client.mjs [base address, by default http://localhost:8080/auth]
import KcAdminClient from '@keycloak/keycloak-admin-client';

const client = new KcAdminClient({ baseUrl: process.argv[2] ?? 'http://localhost:8080/auth', realmName: 'master' });
await client.auth({
  grantType: 'password',
  clientId: 'admin-cli',
  username: process.env.ADMIN_USERNAME ?? 'admin',
  password: process.env.ADMIN_PASSWORD ?? 'admin',
});
client.setConfig({ realmName: 'acme' });

const { id: groupId } = await client.groups.create({ name: 'visitors' });
const { roleName } = await client.roles.create({ name: 'guide', description: 'Shows visitors around' });
const { id: userId } = await client.users.create({
  username: 'vera',
  email: 'vera@acme.example',
  enabled: true,
  attributes: { badge: ['V-1'] },
  credentials: [{ type: 'password', value: 'welcome-1', temporary: false }],
});

const role = await client.roles.findOneByName({ name: roleName });
await client.users.addRealmRoleMappings({ id: userId, roles: [{ id: role.id, name: role.name }] });
await client.groups.addRealmRoleMappings({ id: groupId, roles: [{ id: role.id, name: role.name }] });
await client.users.addToGroup({ id: userId, groupId });
await client.users.update({ id: userId }, { firstName: 'Vera', lastName: 'Visit' });

const [found] = await client.users.find({ username: 'vera', exact: true });
const groups = await client.users.listGroups({ id: userId });
const effective = await client.users.listCompositeRealmRoleMappings({ id: userId });
console.log(`${found.username}: ${found.firstName} ${found.lastName}, badge ${found.attributes.badge}`);
console.log(`groups: ${groups.map(({ path }) => path).join(', ')}`);
console.log(
  `roles: ${effective
    .map(({ name }) => name)
    .sort()
    .join(', ')}`,
);

await client.users.delRealmRoleMappings({ id: userId, roles: [{ id: role.id, name: role.name }] });
await client.users.del({ id: userId });
await client.groups.del({ id: groupId });
await client.roles.delByName({ name: roleName });
console.log('and all of it is gone again');
