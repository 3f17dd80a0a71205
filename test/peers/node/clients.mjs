import assert from 'node:assert/strict';
import { check, has, ifPresent, refused } from './checks.mjs';

const mapper = {
  name: 'badge',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-usermodel-attribute-mapper',
  config: { 'claim.name': 'badge', 'user.attribute': 'badge' },
};

/** Clients, client scopes and resource servers. */
export async function clients(client) {
  await check('clients', async () => {
    const { id } = await client.clients.create({ clientId: 'shop', serviceAccountsEnabled: true });
    await client.clients.update({ id }, { clientId: 'shop', name: 'Shop' });
    assert.equal((await client.clients.findOne({ id })).name, 'Shop');
    has(await client.clients.find({ clientId: 'shop' }), { id });
    const { value } = await client.clients.generateNewClientSecret({ id });
    assert.equal((await client.clients.getClientSecret({ id })).value, value);
    assert.equal((await client.clients.getServiceAccountUser({ id })).username, 'service-account-shop');
    await client.clients.createRole({ id, name: 'sell' });
    await client.clients.updateRole({ id, roleName: 'sell' }, { name: 'sell', description: 'sells' });
    assert.equal((await client.clients.findRole({ id, roleName: 'sell' })).description, 'sells');
    has(await client.clients.listRoles({ id }), { name: 'sell' });
    assert.deepEqual(await client.clients.findUsersWithRole({ id, roleName: 'sell' }), []);
    await client.clients.delRole({ id, roleName: 'sell' });
    assert.deepEqual(await client.clients.listSessions({ id }), []);
    assert.deepEqual(await client.clients.listOfflineSessions({ id }), []);
    assert.equal((await client.clients.getSessionCount({ id })).count, 0);
    assert.equal((await client.clients.getOfflineSessionCount({ id })).count, 0);
    await ifPresent(async () => {
      await client.clients.updateFineGrainPermission({ id }, { enabled: true });
      assert.equal((await client.clients.listFineGrainPermissions({ id })).enabled, true);
    });
    await protocolMappers(client.clients, id);
    await scopeMappings(client, client.clients, id);
    await client.clients.del({ id });
    await refused(404, () => client.clients.findOne({ id }));
  });
  await check('client scopes', async () => {
    await client.clientScopes.create({ name: 'library', protocol: 'openid-connect' });
    const { id } = await client.clientScopes.findOneByName({ name: 'library' });
    await client.clientScopes.update({ id }, { name: 'library', description: 'Books' });
    assert.equal((await client.clientScopes.findOne({ id })).description, 'Books');
    has(await client.clientScopes.find(), { id });
    await protocolMappers(client.clientScopes, id);
    await scopeMappings(client, client.clientScopes, id);
    for (const kind of ['DefaultClientScope', 'DefaultOptionalClientScope']) {
      await client.clientScopes[`add${kind}`]({ id });
      has(await client.clientScopes[`list${kind}s`](), { id });
      await client.clientScopes[`del${kind}`]({ id });
    }
    const { id: shop } = await client.clients.create({ clientId: 'scoped' });
    for (const kind of ['DefaultClientScope', 'OptionalClientScope']) {
      await client.clients[`add${kind}`]({ id: shop, clientScopeId: id });
      has(await client.clients[`list${kind}s`]({ id: shop }), { id });
      await client.clients[`del${kind}`]({ id: shop, clientScopeId: id });
    }
    await client.clients.del({ id: shop });
    await client.clientScopes.delByName({ name: 'library' });
    await refused(404, () => client.clientScopes.findOne({ id }));
  });
  await check('resource servers', async () => {
    const { id } = await client.clients.create({
      clientId: 'api',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
    });
    const server = await client.clients.getResourceServer({ id });
    await client.clients.updateResourceServer({ id }, { ...server, policyEnforcementMode: 'PERMISSIVE' });
    await client.clients.createAuthorizationScope({ id }, { name: 'read' });
    const scope = has(await client.clients.listAllScopes({ id }), { name: 'read' });
    await client.clients.updateAuthorizationScope({ id, scopeId: scope.id }, { ...scope, displayName: 'Read' });
    const book = await client.clients.createResource({ id }, { name: 'Book', scopes: [{ name: 'read' }] });
    const resourceId = book._id;
    await client.clients.updateResource({ id, resourceId }, { ...book, displayName: 'A book' });
    assert.equal((await client.clients.getResource({ id, resourceId })).displayName, 'A book');
    has(await client.clients.listResources({ id }), { name: 'Book' });
    const policy = await client.clients.createPolicy({ id, type: 'time' }, { name: 'hours', hour: '8', hourEnd: '17' });
    await client.clients.updatePolicy({ id, type: 'time', policyId: policy.id }, { ...policy, description: 'daily' });
    assert.equal(
      (await client.clients.findOnePolicyWithType({ id, type: 'time', policyId: policy.id })).description,
      'daily',
    );
    assert.equal((await client.clients.findPolicyByName({ id, name: 'hours' })).id, policy.id);
    has(await client.clients.listPolicies({ id }), { name: 'hours' });
    const permission = await client.clients.createPermission(
      { id, type: 'resource' },
      { name: 'reading', resources: [resourceId], policies: [policy.id] },
    );
    const one = { id, type: 'resource', permissionId: permission.id };
    await client.clients.updatePermission(one, { ...permission, description: 'changed' });
    assert.equal((await client.clients.findOnePermission(one)).description, 'changed');
    has(await client.clients.findPermissions({ id, name: 'reading' }), { name: 'reading' });
    has(await client.clients.getAssociatedResources({ id, permissionId: permission.id }), { name: 'Book' });
    has(await client.clients.getAssociatedPolicies({ id, permissionId: permission.id }), { name: 'hours' });
    assert.deepEqual(await client.clients.getAssociatedScopes({ id, permissionId: permission.id }), []);
    has(await client.clients.listPermissionsByResource({ id, resourceId }), { name: 'reading' });
    has(await client.clients.listScopesByResource({ id, resourceName: resourceId }), { name: 'read' });
    has(await client.clients.listAllResourcesByScope({ id, scopeId: scope.id }), { name: 'Book' });
    assert.deepEqual(await client.clients.listAllPermissionsByScope({ id, scopeId: scope.id }), []);
    has(await client.clients.listDependentPolicies({ id, policyId: policy.id }), { name: 'reading' });
    has(await client.clients.listPolicyProviders({ id }), { type: 'time' });
    assert.equal((await client.clients.getAuthorizationScope({ id, scopeId: scope.id })).displayName, 'Read');
    const exported = await client.clients.exportResource({ id });
    await client.clients.importResource({ id }, exported);
    await client.clients.delPermission(one);
    await client.clients.delPolicy({ id, policyId: policy.id });
    await client.clients.delResource({ id, resourceId });
    await client.clients.delAuthorizationScope({ id, scopeId: scope.id });
    await client.clients.del({ id });
  });
  await check('certificates of a client', async () => {
    const { id } = await client.clients.create({ clientId: 'certified' });
    const attr = 'jwt.credential';
    const { certificate } = await client.clients.generateKey({ id, attr });
    assert.equal((await client.clients.getKeyInfo({ id, attr })).certificate, certificate);
    const passwords = { keyAlias: 'key', keyPassword: 'key-secret', storePassword: 'store-secret' };
    const file = await client.clients.generateAndDownloadKey({ id, attr }, { format: 'PKCS12', ...passwords });
    assert.ok((file.byteLength ?? file.length) > 0);
    await client.clients.downloadKey({ id, attr }, { format: 'PKCS12', ...passwords });
    await client.clients.del({ id });
  });
  await check('tokens that a client would get', async () => {
    const { id } = await client.clients.create({ clientId: 'tried' });
    const { id: userId } = await client.users.create({ username: 'tried', enabled: true });
    const of = { id, userId, scope: 'openid' };
    assert.equal((await client.clients.evaluateGenerateAccessToken({ ...of, audience: '' })).sub, userId);
    assert.equal((await client.clients.evaluateGenerateIdToken(of)).sub, userId);
    assert.equal((await client.clients.evaluateGenerateUserInfo(of)).sub, userId);
    assert.ok((await client.clients.evaluateListProtocolMapper({ id, scope: 'openid' })).length > 0);
    await client.clients.del({ id });
    await client.users.del({ id: userId });
  });
  await check('registration access and adapter file of a client', async () => {
    const { id } = await client.clients.create({ clientId: 'installed' });
    assert.ok((await client.clients.generateRegistrationAccessToken({ id })).registrationAccessToken);
    assert.ok(await client.clients.getInstallationProviders({ id, providerId: 'keycloak-oidc-keycloak-json' }));
    await client.clients.del({ id });
  });
  await check('nodes and revocations of a client', async () => {
    const { id } = await client.clients.create({ clientId: 'cluster' });
    await client.clients.addClusterNode({ id, node: 'node-1.example' });
    await client.clients.testNodesAvailable({ id });
    await client.clients.pushRevocation({ id });
    await client.clients.deleteClusterNode({ id, node: 'node-1.example' });
    await client.clients.del({ id });
  });
}

async function protocolMappers(holders, id) {
  await holders.addProtocolMapper({ id }, mapper);
  await holders.addMultipleProtocolMappers({ id }, [{ ...mapper, name: 'floor' }]);
  const found = has(await holders.listProtocolMappers({ id }), { name: 'badge' });
  const changed = { ...found, config: { ...found.config, 'claim.name': 'number' } };
  await holders.updateProtocolMapper({ id, mapperId: found.id }, changed);
  assert.equal((await holders.findProtocolMapperByName({ id, name: 'badge' })).config['claim.name'], 'number');
  has(await holders.findProtocolMappersByProtocol({ id, protocol: 'openid-connect' }), { name: 'floor' });
  await holders.delProtocolMapper({ id, mapperId: found.id });
}

async function scopeMappings(client, holders, id) {
  const everyday = await client.roles.findOneByName({ name: 'offline_access' });
  await holders.addRealmScopeMappings({ id }, [everyday]);
  has(await holders.listRealmScopeMappings({ id }), { name: 'offline_access' });
  await holders.listAvailableRealmScopeMappings({ id });
  // the older version asks for the available ones instead
  assert.ok(Array.isArray(await holders.listCompositeRealmScopeMappings({ id })));
  assert.ok((await holders.listScopeMappings({ id })).realmMappings);
  await holders.delRealmScopeMappings({ id }, [everyday]);
  const [management] = await client.clients.find({ clientId: 'realm-management' });
  const viewer = await client.clients.findRole({ id: management.id, roleName: 'view-users' });
  const at = { id, client: management.id };
  await holders.addClientScopeMappings(at, [viewer]);
  has(await holders.listClientScopeMappings(at), { name: 'view-users' });
  await holders.listAvailableClientScopeMappings(at);
  await holders.listCompositeClientScopeMappings(at);
  await holders.delClientScopeMappings(at, [viewer]);
}
