import { perform } from '../../services/core/perform.js';
import { testActions } from '../../services/ldap/connection-test.js';
import { realmById } from '../../services/realms/locate.js';
import { capabilities, queryCapabilities, testConnection } from '../../services/user-storage/connection-operations.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { parseId } from '../core/node.js';
import { within } from '../core/texts.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const CapabilityType = builder.enumType('LdapCapabilityType', {
  description: 'Type of a capability of an LDAP server.',
  values: {
    CONTROL: { description: 'A control, e.g. paged results.' },
    EXTENSION: { description: 'An extended operation, e.g. a change of the password.' },
    FEATURE: { description: 'An elective feature.' },
    UNKNOWN: { description: 'A capability of another type.' },
  },
});

const Capability = builder
  .objectRef<{ oid: string; type: 'CONTROL' | 'EXTENSION' | 'FEATURE' | 'UNKNOWN' }>('LdapCapability')
  .implement({
    description: 'A control, extension, or feature that an LDAP server supports.',
    fields: (t) => ({
      oid: t.exposeString('oid', { description: 'Object identifier (OID) of the capability.' }),
      type: t.expose('type', { type: CapabilityType, description: 'Type of the capability.' }),
    }),
  });

const LdapAuthentication = builder.enumType('LdapAuthentication', {
  description: 'How the server authenticates at a directory.',
  values: {
    NONE: { value: 'none', description: 'Not at all.' },
    SIMPLE: { value: 'simple', description: 'With the bind DN and its password.' },
  },
});

const LdapTrust = builder.enumType('LdapTrust', {
  description: 'Authorities that the server trusts for the certificate of a directory.',
  values: {
    NEVER: { value: 'never', description: 'Trusts only well-known authorities.' },
    LDAPS_ONLY: {
      value: 'ldapsOnly',
      description: 'Trusts the authorities in `LDAP_CA_FILE` as well, for addresses with `ldaps`.',
    },
    ALWAYS: { value: 'always', description: 'Trusts the authorities in `LDAP_CA_FILE` as well, for every address.' },
  },
});

const Connection = builder.inputType('LdapConnectionInput', {
  description: 'Settings of a connection to an LDAP directory.',
  fields: (t) => ({
    url: t.string({
      required: true,
      description: 'URLs of the directory, separated by spaces, e.g. `ldaps://ldap.example.org`.',
    }),
    authentication: t.field({
      type: LdapAuthentication,
      description: 'How the server authenticates. Default: with the bind DN, if there is one.',
    }),
    bindDn: t.string({ description: 'DN with which the server authenticates.' }),
    bindCredential: t.string({
      description: 'Password of the bind DN. The mask stands for the password of `userStorage`.',
    }),
    usesStartTls: t.boolean({ description: 'Whether the connection switches to TLS with StartTLS. Default false.' }),
    trust: t.field({ type: LdapTrust, description: 'Trusted authorities. Default `LDAPS_ONLY`.' }),
    connectionTimeout: t.int({ ...within(0), description: 'Milliseconds within which the directory must answer.' }),
    userStorage: t.id({ description: 'ID of the user storage whose password the mask stands for.' }),
  }),
});

type Given = typeof Connection.$inferInput;

/** TestLdapConnectionRepresentation of the contract. */
const representationOf = (connection: Given, field: string, action: string) => ({
  action,
  connectionUrl: connection.url,
  authType: connection.authentication ?? undefined,
  bindDn: connection.bindDn ?? undefined,
  bindCredential: connection.bindCredential ?? undefined,
  startTls: connection.usesStartTls == null ? undefined : String(connection.usesStartTls),
  useTruststoreSpi: connection.trust ?? undefined,
  connectionTimeout: connection.connectionTimeout == null ? undefined : String(connection.connectionTimeout),
  componentId:
    connection.userStorage == null
      ? undefined
      : parseId(connection.userStorage, `${field}.userStorage`, 'UserStorage').id,
});

builder.prismaObjectFields(Realm, (t) => ({
  ldapCapabilities: t.field({
    type: [Capability],
    nullable: true,
    description: 'Controls, extensions, and features of an LDAP server.',
    requires: { operation: capabilities, isChecked: true },
    args: {
      connection: t.arg({ type: Connection, required: true, description: 'Settings of the connection.' }),
    },
    resolve: ({ id }, { connection }, ctx) =>
      perform(
        ctx,
        capabilities,
        async (at) => ({ realm: await realmById(at, id) }),
        representationOf(connection, 'connection', queryCapabilities),
      ),
  }),
}));

const [connect, authenticate] = testActions;

const TestKind = builder.enumType('LdapTest', {
  description: 'What a test of a connection to an LDAP directory covers.',
  values: {
    CONNECTION: { value: connect, description: 'Tests only the connection.' },
    AUTHENTICATION: { value: authenticate, description: 'Tests the connection and the authentication.' },
  },
});

mutation('userStorageTestConnection', {
  description: 'Tests the connection to a directory, or also the authentication with its credentials.',
  operation: testConnection,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    connection: t.field({ type: Connection, required: true, description: 'Settings of the connection.' }),
    test: t.field({ type: TestKind, required: true, description: 'What the test covers.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  send: ({ connection, test }) => representationOf(connection, 'connection', test),
  fieldOf: fieldNamed({
    action: 'test',
    connectionUrl: 'connection.url',
    authType: 'connection.authentication',
    bindDn: 'connection.bindDn',
    bindCredential: 'connection.bindCredential',
    startTls: 'connection.usesStartTls',
    useTruststoreSpi: 'connection.trust',
    connectionTimeout: 'connection.connectionTimeout',
    componentId: 'connection.userStorage',
  }),
});
