import assert from 'node:assert/strict';
import { check, has, ifPresent, refused } from './checks.mjs';

const { PEER_BASE, PEER_LDAP_URL, PEER_SMTP_PORT } = process.env;

const bind = { bindDn: 'cn=admin,dc=example,dc=org', bindCredential: 'directory-secret' };
const settings = {
  ...bind,
  connectionUrl: PEER_LDAP_URL,
  usersDn: 'ou=people,dc=example,dc=org',
  authType: 'simple',
  vendor: 'other',
  editMode: 'READ_ONLY',
  usernameLDAPAttribute: 'uid',
  rdnLDAPAttribute: 'uid',
  uuidLDAPAttribute: 'entryUUID',
  userObjectClasses: 'inetOrgPerson',
};
const groups = {
  'groups.dn': 'ou=groups,dc=example,dc=org',
  'group.name.ldap.attribute': 'cn',
  'group.object.classes': 'groupOfNames',
  'membership.ldap.attribute': 'member',
  'membership.attribute.type': 'DN',
  'membership.user.ldap.attribute': 'uid',
  mode: 'READ_ONLY',
};
const lists = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

/** What the service reaches for the client: a directory, a mail server, documents. */
export async function outside(client, realm) {
  if (PEER_LDAP_URL === undefined) console.log('slapd is not installed: no case with a directory of users');
  else await check('a directory of users', () => directory(client, realm));
  await check('mail server', async () => {
    const { id } = await client.whoAmI
      .find({ realm: 'master', currentRealm: 'master' })
      .then(({ userId }) => client.users.findOne({ realm: 'master', id: userId }));
    await client.users.update({ realm: 'master', id }, { email: 'admin@peer.example' });
    const server = { host: '127.0.0.1', port: PEER_SMTP_PORT, from: 'realm@peer.example' };
    await client.realms.testSMTPConnection({ realm }, server);
  });
  await check('settings of an identity provider by its document', async () => {
    const issuer = `${PEER_BASE}/realms/${realm}`;
    const fromUrl = `${issuer}/.well-known/openid-configuration`;
    const read = await client.identityProviders.importFromUrl({ fromUrl, providerId: 'oidc' });
    assert.equal(read.tokenUrl, `${issuer}/protocol/openid-connect/token`);
  });
  await check('management permissions of users', async () => {
    assert.equal((await client.realms.getUsersManagementPermissions({ realm })).enabled, false);
    await client.realms.updateUsersManagementPermissions({ realm, enabled: true });
    assert.equal((await client.realms.getUsersManagementPermissions({ realm })).enabled, true);
    await client.realms.updateUsersManagementPermissions({ realm, enabled: false });
  });
  await check('sessions and consents of a user', () => sessions(client, realm));
}

async function directory(client, realm) {
  const { id: parentId } = await client.realms.findOne({ realm });
  const connection = { ...bind, connectionUrl: PEER_LDAP_URL, authType: 'simple', useTruststoreSpi: 'ldapsOnly' };
  await client.realms.testLDAPConnection({ realm }, { ...connection, action: 'testAuthentication' });
  const storage = { name: 'people', providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' };
  const { id } = await client.components.create({ ...storage, parentId, config: lists(settings) });
  assert.equal((await client.userStorageProvider.name({ id })).name, 'people');
  assert.equal((await client.userStorageProvider.sync({ id, action: 'triggerFullSync' })).added, 1);
  const kind = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';
  const mapper = { name: 'choirs', providerId: 'group-ldap-mapper', providerType: kind, parentId: id };
  const { id: mapperId } = await client.components.create({ ...mapper, config: lists(groups) });
  const synchronised = await client.userStorageProvider.mappersSync({
    id: mapperId,
    parentId: id,
    direction: 'fedToKeycloak',
  });
  assert.equal(synchronised.added, 1);
  has(await client.groups.find({ search: 'choir' }), { name: 'choir' });
  await client.userStorageProvider.unlinkUsers({ id });
  const [paula] = await client.users.find({ username: 'paula' });
  await client.users.del({ id: paula.id });
  await client.userStorageProvider.sync({ id, action: 'triggerFullSync' });
  await client.userStorageProvider.removeImportedUsers({ id });
  await client.components.del({ id });
  assert.deepEqual(await client.users.find({ username: 'paula' }), []);
}

async function sessions(client, realm) {
  const credentials = [{ type: 'password', value: 'welcome-1' }];
  const { id } = await client.users.create({ username: 'sessions', enabled: true, credentials });
  const clientId = 'session-peer';
  const made = await client.clients.create({ clientId, publicClient: true, directAccessGrantsEnabled: true });
  const form = { grant_type: 'password', client_id: clientId, username: 'sessions', password: 'welcome-1' };
  const address = `${PEER_BASE}/realms/${realm}/protocol/openid-connect/token`;
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
  assert.equal(answer.status, 200);
  const [session] = await client.users.listSessions({ id });
  // the versions name the session differently
  await client.realms.removeSession({ realm, session: session.id, sessionId: session.id });
  assert.deepEqual(await client.users.listSessions({ id }), []);
  assert.deepEqual(await client.users.listOfflineSessions({ id, clientId: made.id }), []);
  await refused(404, () => client.users.revokeConsent({ id, clientId }));
  await ifPresent(() => client.sessions.find({ realm }));
  await client.clients.del({ id: made.id });
  await client.users.del({ id });
}
