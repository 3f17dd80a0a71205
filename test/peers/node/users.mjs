import assert from 'node:assert/strict';
import { check, has, ifPresent, refused } from './checks.mjs';

/** Users, groups and their roles. */
export async function users(client, realm) {
  await check('users', async () => {
    const credentials = [{ type: 'password', value: 'welcome-1' }];
    const { id } = await client.users.create({
      username: 'vera',
      enabled: true,
      email: 'vera@peer.example',
      credentials,
    });
    await client.users.update({ id }, { firstName: 'Vera', attributes: { badge: ['V-1'] } });
    assert.deepEqual((await client.users.findOne({ id })).attributes, { badge: ['V-1'] });
    has(await client.users.find({ username: 'vera' }), { id });
    assert.ok((await client.users.count()) > 0);
    await client.users.resetPassword({ id, credential: { type: 'password', value: 'welcome-2', temporary: false } });
    await ifPresent(async () => {
      const [password] = await client.users.getCredentials({ id });
      await client.users.deleteCredential({ id, credentialId: password.id });
    });
    await client.users.executeActionsEmail({ id, lifespan: 600, actions: ['UPDATE_PASSWORD'] });
    await client.users.sendVerifyEmail({ id });
    assert.deepEqual(await client.users.listSessions({ id }), []);
    assert.deepEqual(await client.users.listConsents({ id }), []);
    await client.users.logout({ id });
    await client.users.del({ id });
    await refused(404, () => client.users.findOne({ id }));
  });
  await check('credentials', async () => {
    const credentials = [{ type: 'password', value: 'welcome-1' }];
    const { id } = await client.users.create({ username: 'walter', enabled: true, credentials });
    const [{ id: credentialId }] = await client.users.getCredentials({ id });
    await client.users.updateCredentialLabel({ id, credentialId }, 'office');
    assert.equal((await client.users.getCredentials({ id }))[0].userLabel, 'office');
    await client.users.moveCredentialPositionUp({ id, credentialId });
    await client.users.moveCredentialPositionDown({ id, credentialId, newPreviousCredentialId: credentialId });
    await client.users.getUserStorageCredentialTypes({ id });
    await client.users.del({ id });
  });
  await check('brute force', async () => {
    const { id } = await client.users.create({ username: 'yves', enabled: true });
    assert.equal((await client.attackDetection.findOne({ id })).disabled, false);
    await client.attackDetection.del({ id });
    await client.attackDetection.delAll();
    await client.users.del({ id });
  });
  await check('groups', async () => {
    const { id } = await client.groups.create({ name: 'staff' });
    const { id: userId } = await client.users.create({ username: 'member', enabled: true });
    await client.groups.update({ id }, { name: 'staff', attributes: { floor: ['2'] } });
    assert.deepEqual((await client.groups.findOne({ id })).attributes, { floor: ['2'] });
    has(await client.groups.find({ search: 'sta' }), { name: 'staff' });
    assert.equal((await client.groups.count()).count, 1);
    await client.users.addToGroup({ id: userId, groupId: id });
    has(await client.groups.listMembers({ id }), { username: 'member' });
    has(await client.users.listGroups({ id: userId }), { path: '/staff' });
    assert.equal((await client.users.countGroups({ id: userId })).count, 1);
    await client.users.delFromGroup({ id: userId, groupId: id });
    await mappings(client, client.groups, id);
    await mappings(client, client.users, userId);
    await ifPresent(async () => {
      await client.groups.updatePermission({ id }, { enabled: true });
      assert.equal((await client.groups.listPermissions({ id })).enabled, true);
    });
    await client.groups.del({ id });
    await client.users.del({ id: userId });
    await refused(404, () => client.groups.findOne({ id }));
  });
  await check('default groups', async () => {
    const { id } = await client.groups.create({ name: 'visitors' });
    await client.realms.addDefaultGroup({ realm, id });
    has(await client.realms.getDefaultGroups({ realm }), { name: 'visitors' });
    await client.realms.removeDefaultGroup({ realm, id });
    await client.groups.del({ id });
  });
  await check('impersonation', async () => {
    const { id } = await client.users.create({ username: 'zoe', enabled: true });
    assert.ok((await client.users.impersonation({ id }, { user: id, realm })).redirect);
    await client.users.del({ id });
  });
  await check('groups below a group, as this version creates them', async () => {
    const { createChildGroup } = client.groups;
    const { id } = await client.groups.create({ name: 'choir' });
    const { id: child } = await createChildGroup({ id }, { name: 'altos', attributes: { voice: ['low'] } });
    assert.equal((await client.groups.findOne({ id })).subGroups[0].name, 'altos');
    has(await client.groups.listSubGroups({ parentId: id, search: 'ALT' }), {
      id: child,
      parentId: id,
      subGroupCount: 0,
    });
    assert.deepEqual(await client.groups.listSubGroups({ parentId: id, first: 1, max: 5 }), []);
    const found = await client.groups.find({ q: 'voice:low', populateHierarchy: false });
    assert.deepEqual(
      found.map(({ path }) => path),
      ['/choir/altos'],
    );
    await client.groups.del({ id });
  });
  await check('users as the newer version reads them', async () => {
    const { getProfile, getProfileMetadata, getUnmanagedAttributes } = client.users;
    const { id } = await client.users.create({ username: 'zoe', attributes: { badge: ['Z-1'] } });
    has(await client.users.find({ q: 'badge:z-1' }), { id });
    assert.equal(await client.users.count({ q: 'badge:z-2' }), 0);
    assert.deepEqual(await getUnmanagedAttributes({ id }), { badge: ['Z-1'] });
    assert.ok((await client.users.findOne({ id, userProfileMetadata: true })).userProfileMetadata.attributes);
    has((await getProfile()).attributes, { name: 'email' });
    has((await getProfileMetadata()).attributes, { name: 'email' });
    await client.users.del({ id });
  });
  await check('groups below a group, as the older version creates them', async () => {
    const { setOrCreateChild } = client.groups;
    const { id } = await client.groups.create({ name: 'choir' });
    await setOrCreateChild({ id }, { name: 'altos' });
    assert.equal((await client.groups.findOne({ id })).subGroups[0].name, 'altos');
    await client.groups.del({ id });
  });
}

/** Adds and removes a role of the realm and one of a client, at a user or a group. */
async function mappings(client, holders, id) {
  await client.roles.create({ name: 'mapped' });
  const mapped = await client.roles.findOneByName({ name: 'mapped' });
  const roles = [{ id: mapped.id, name: 'mapped' }];
  has(await holders.listAvailableRealmRoleMappings({ id }), { name: 'mapped' });
  await holders.addRealmRoleMappings({ id, roles });
  has(await holders.listRealmRoleMappings({ id }), { name: 'mapped' });
  await ifPresent(async () => has(await holders.listCompositeRealmRoleMappings({ id }), { name: 'mapped' }));
  has((await holders.listRoleMappings({ id })).realmMappings, { name: 'mapped' });
  await holders.delRealmRoleMappings({ id, roles });
  const [management] = await client.clients.find({ clientId: 'realm-management' });
  const at = { id, clientUniqueId: management.id };
  const viewer = await client.clients.findRole({ id: management.id, roleName: 'view-users' });
  const clientRoles = [{ id: viewer.id, name: viewer.name }];
  has(await holders.listAvailableClientRoleMappings(at), { name: 'view-users' });
  await holders.addClientRoleMappings({ ...at, roles: clientRoles });
  has(await holders.listClientRoleMappings(at), { name: 'view-users' });
  await ifPresent(async () => has(await holders.listCompositeClientRoleMappings(at), { name: 'query-users' }));
  await holders.delClientRoleMappings({ ...at, roles: clientRoles });
  assert.deepEqual(await holders.listClientRoleMappings(at), []);
  await client.roles.delByName({ name: 'mapped' });
}
