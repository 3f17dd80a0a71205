import assert from 'node:assert/strict';
import { check, has, ifPresent, refused } from './checks.mjs';

const mapper = {
  name: 'origin',
  identityProviderAlias: 'company',
  identityProviderMapper: 'hardcoded-attribute-idp-mapper',
  config: { attribute: 'origin', 'attribute.value': 'company' },
};

/** Realms, roles, identity providers and components. */
export async function realms(client, realm) {
  await check('realms', async () => {
    has(await client.realms.find(), { realm });
    await client.realms.update({ realm }, { displayName: 'Node peer' });
    assert.equal((await client.realms.findOne({ realm })).displayName, 'Node peer');
    await ifPresent(() => client.realms.getClientSessionStats({ realm }));
    assert.ok((await client.serverInfo.find()).providers);
    assert.ok((await client.whoAmI.find({ realm: 'master', currentRealm: 'master' })).userId);
  });
  await check('partial import and export', async () => {
    await client.realms.partialImport({
      realm,
      rep: { ifResourceExists: 'SKIP', roles: { realm: [{ name: 'imported' }] } },
    });
    const exported = await client.realms.export({ realm, exportClients: true, exportGroupsAndRoles: true });
    has(exported.roles.realm, { name: 'imported' });
  });
  await check('upkeep of a realm', async () => {
    await client.cache.clearUserCache({ realm });
    await client.realms.logoutAll({ realm });
    await client.realms.pushRevocation({ realm });
    assert.ok((await client.realms.getKeys({ realm })).keys.length > 0);
    await refused(404, () => client.realms.deleteSession({ realm, session: 'none', isOffline: false }));
  });
  await check('caches', async () => {
    await client.cache.clearKeysCache({ realm });
    await client.cache.clearRealmCache({ realm });
  });
  await check('events', async () => {
    const config = await client.realms.getConfigEvents({ realm });
    await client.realms.updateConfigEvents({ realm }, { ...config, eventsEnabled: true, adminEventsEnabled: true });
    await client.roles.create({ name: 'audited' });
    await client.roles.delByName({ name: 'audited' });
    has(await client.realms.findAdminEvents({ realm }), { operationType: 'DELETE' });
    await client.realms.clearAdminEvents({ realm });
    await client.realms.findEvents({ realm });
    await client.realms.clearEvents({ realm });
  });
  await check('initial access tokens', async () => {
    const { id } = await client.realms.createClientsInitialAccess({ realm }, { count: 1, expiration: 60 });
    has(await client.realms.getClientsInitialAccess({ realm }), { id });
    await client.realms.delClientsInitialAccess({ realm, id });
    assert.ok((await client.realms.getClientRegistrationPolicyProviders({ realm })).length > 0);
  });
  await check('localization', async () => {
    // the older version sends texts as forms, which the contract refuses
    await client.clientPolicies.listPolicies();
    await client.realms.addLocalization({ realm, selectedLocale: 'en', key: 'greeting' }, 'Hello');
    assert.deepEqual(await client.realms.getRealmSpecificLocales({ realm }), ['en']);
    assert.deepEqual(await client.realms.getRealmLocalizationTexts({ realm, selectedLocale: 'en' }), {
      greeting: 'Hello',
    });
    await client.realms.deleteRealmLocalizationTexts({ realm, selectedLocale: 'en', key: 'greeting' });
  });
  await check('client policies', async () => {
    await client.clientPolicies.createProfiles({ profiles: [{ name: 'strict', executors: [] }] });
    has((await client.clientPolicies.listProfiles({ includeGlobalProfiles: true })).profiles, { name: 'strict' });
    await client.clientPolicies.updatePolicy({
      policies: [{ name: 'all', enabled: false, conditions: [], profiles: ['strict'] }],
    });
    has((await client.clientPolicies.listPolicies()).policies, { name: 'all' });
    await client.clientPolicies.updatePolicy({ policies: [] });
    await client.clientPolicies.createProfiles({ profiles: [] });
  });
  await check('roles', async () => {
    await client.roles.create({ name: 'clerk', description: 'sells' });
    await client.roles.create({ name: 'cashier' });
    const { id } = await client.roles.findOneByName({ name: 'clerk' });
    await client.roles.updateByName({ name: 'clerk' }, { name: 'clerk', description: 'counts' });
    await client.roles.updateById({ id }, { name: 'clerk', attributes: { desk: ['7'] } });
    assert.deepEqual((await client.roles.findOneById({ id })).attributes, { desk: ['7'] });
    has(await client.roles.find({ search: 'cler' }), { name: 'clerk' });
    const cashier = await client.roles.findOneByName({ name: 'cashier' });
    await client.roles.createComposite({ roleId: id }, [cashier]);
    has(await client.roles.getCompositeRoles({ id }), { name: 'cashier' });
    has(await client.roles.getCompositeRolesForRealm({ id }), { name: 'cashier' });
    const [management] = await client.clients.find({ clientId: 'realm-management' });
    assert.deepEqual(await client.roles.getCompositeRolesForClient({ id, clientId: management.id }), []);
    await client.roles.delCompositeRoles({ id }, [cashier]);
    assert.deepEqual(await client.roles.findUsersWithRole({ name: 'clerk' }), []);
    await ifPresent(async () => {
      await client.roles.updatePermission({ id }, { enabled: true });
      assert.equal((await client.roles.listPermissions({ id })).enabled, true);
    });
    await client.roles.delById({ id });
    await client.roles.delByName({ name: 'cashier' });
    await refused(404, () => client.roles.findOneById({ id }));
  });
  await check('identity providers', async () => {
    const config = {
      clientId: 'us',
      authorizationUrl: 'https://company.example/a',
      tokenUrl: 'https://company.example/t',
    };
    const alias = 'company';
    await client.identityProviders.create({ alias, providerId: 'oidc', config });
    const found = await client.identityProviders.findOne({ alias });
    await client.identityProviders.update({ alias }, { ...found, displayName: 'Company' });
    has(await client.identityProviders.find(), { displayName: 'Company' });
    assert.equal((await client.identityProviders.findFactory({ providerId: 'oidc' })).id, 'oidc');
    const { id } = await client.identityProviders.createMapper({ alias, identityProviderMapper: mapper });
    const made = await client.identityProviders.findOneMapper({ alias, id });
    await client.identityProviders.updateMapper(
      { alias, id },
      { ...made, config: { ...made.config, attribute: 'source' } },
    );
    assert.equal((await client.identityProviders.findMappers({ alias }))[0].config.attribute, 'source');
    assert.ok(await client.identityProviders.findMapperTypes({ alias }));
    await client.identityProviders.delMapper({ alias, id });
    const { id: user } = await client.users.create({ username: 'linked', enabled: true });
    const federatedIdentity = { identityProvider: alias, userId: 'b-1', userName: 'linked@company.example' };
    const federatedIdentityId = alias;
    await client.users.addToFederatedIdentity({ id: user, federatedIdentityId, federatedIdentity });
    has(await client.users.listFederatedIdentities({ id: user }), { userId: 'b-1' });
    await client.users.delFromFederatedIdentity({ id: user, federatedIdentityId });
    await client.users.del({ id: user });
    await client.identityProviders.del({ alias });
    await refused(404, () => client.identityProviders.findOne({ alias }));
  });
  await check('components', async () => {
    const providerType = 'org.keycloak.keys.KeyProvider';
    const made = { name: 'more keys', providerId: 'rsa-generated', providerType, config: { priority: ['50'] } };
    const { id } = await client.components.create(made);
    await client.components.update({ id }, { ...made, id, config: { priority: ['40'] } });
    assert.deepEqual((await client.components.findOne({ id })).config.priority, ['40']);
    has(await client.components.find({ type: providerType }), { id });
    await client.components.del({ id });
    await refused(404, () => client.components.findOne({ id }));
  });
}
