// Trying a connection, and asking for the capabilities of a directory.
import { storage, titled } from '../steps.mjs';

const settings = {
  action: 'testAuthentication',
  connectionUrl: '$directory',
  authType: 'simple',
  bindDn: 'cn=admin,dc=example,dc=org',
  bindCredential: 'directory-secret',
  useTruststoreSpi: 'ldapsOnly',
  connectionTimeout: '',
  startTls: '',
};
const tests = [
  {},
  { action: 'testConnection' },
  { bindCredential: 'wrong' },
  { bindCredential: '' },
  { bindCredential: null },
  { bindDn: 'cn=nobody,dc=example,dc=org' },
  { bindDn: 'nonsense' },
  { bindDn: '' },
  { bindDn: null },
  { authType: 'none' },
  { authType: 'none', bindDn: null, bindCredential: null },
  { authType: 'none', action: 'testConnection' },
  { authType: 'magic' },
  { authType: null },
  { startTls: 'true' },
  { startTls: 'true', action: 'testConnection' },
  { startTls: 'perhaps' },
  { connectionTimeout: 'soon' },
  { connectionTimeout: 'soon', action: 'testConnection' },
  { connectionTimeout: '5000' },
  { connectionTimeout: '-1' },
  { connectionUrl: 'ldap://127.0.0.1:1' },
  { connectionUrl: 'ldap://127.0.0.1:1', action: 'testConnection' },
  { connectionUrl: 'http://127.0.0.1:1', action: 'testConnection' },
  { connectionUrl: 'nonsense' },
  { connectionUrl: '' },
  { connectionUrl: '', action: 'testConnection' },
  { connectionUrl: 'ldap://127.0.0.1:1 $directory' },
  { connectionUrl: '$directory/dc=example,dc=org', action: 'testConnection' },
  { useTruststoreSpi: 'sometimes' },
  { action: 'testNothing' },
  { action: null },
  { action: 'TESTAUTHENTICATION' },
  { bindCredential: '**********' },
  { bindCredential: '**********', componentId: '$ldap' },
  { bindCredential: '**********', componentId: 'nothing' },
];
const filled = (given) =>
  Object.fromEntries(Object.entries({ ...settings, ...given }).filter(([, value]) => value !== null));
const tried = (op, name, action = {}) => ({
  name,
  directory: [],
  steps: [
    storage(),
    ...tests.map((given) => ({
      op,
      json: filled({ ...action, ...given }),
      note: titled(given) || 'good',
      // with an unknown component the reference server stumbles
      ...(given.componentId === 'nothing' && { compare: 'refused' }),
    })),
  ],
});

export default [
  tried('POST /{realm}/testLDAPConnection', 'trying a connection'),
  tried('POST /{realm}/ldap-server-capabilities', 'the capabilities of a directory', {
    action: 'queryServerCapabilities',
  }),
];
