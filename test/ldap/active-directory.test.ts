import { X509Certificate } from 'node:crypto';
import { Attribute, Change, Client, type Entry } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../mail/mailbox.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  hasSlapd,
  mapperFor,
  person,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const integer = '1.3.6.1.4.1.1466.115.121.1.27';
const octets = '1.3.6.1.4.1.1466.115.121.1.40';
const time = '1.3.6.1.4.1.1466.115.121.1.24';

const attributes = [
  ['userAccountControl', integer, 'integerMatch'],
  ['pwdLastSet', integer, 'integerMatch'],
  ['objectGUID', octets, 'octetStringMatch'],
  ['unicodePwd', octets, 'octetStringMatch'],
  ['primaryGroupID', integer, 'integerMatch'],
  ['objectSid', octets, 'octetStringMatch'],
  ['whenCreated', time, 'generalizedTimeMatch'],
  ['whenChanged', time, 'generalizedTimeMatch'],
] as const;

/** As much of Active Directory's schema as accounts need. */
const schema = [
  ...attributes.map(
    ([name, syntax, match], at) =>
      `attributetype ( 1.1.2.1.${at + 1} NAME '${name}' EQUALITY ${match} SYNTAX ${syntax} SINGLE-VALUE )`,
  ),
  `objectclass ( 1.1.2.2.1 NAME 'adAccount' SUP top AUXILIARY MAY ( ${attributes.map(([name]) => name).join(' $ ')} ) )`,
  '',
].join('\n');

const bytesIn = (entry: Entry | undefined, attribute: string): Buffer => {
  const value = entry?.[attribute];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};

const guid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

/** S-1-5-21-1-2-3 with a relative identifier (MS-DTYP 2.4.2.2), in Base64. */
const sid = (relative: number): string => {
  const parts = Buffer.alloc(20);
  for (const [at, part] of [21, 1, 2, 3, relative].entries()) parts.writeUInt32LE(part, 4 * at);
  return Buffer.concat([Buffer.from([1, 5, 0, 0, 0, 0, 0, 5]), parts]).toString('base64');
};

const account = (name: string, control: number, lastSet: string, at: number) =>
  person(name, {
    more: [
      `userAccountControl: ${control}`,
      `pwdLastSet: ${lastSet}`,
      'primaryGroupID: 513',
      `objectSid:: ${sid(1100 + at)}`,
      `objectGUID:: ${Buffer.concat([guid.subarray(0, 15), Buffer.from([at])]).toString('base64')}`,
    ],
  }).replace('objectClass: inetOrgPerson', '$&\nobjectClass: adAccount');

describe.skipIf(!hasSlapd)('Active Directory', () => {
  let server: TestServer;
  let admin: Caller;
  let root: Client;
  let proxy: LdapProxy;
  const realm = 'accounts';

  const userNamed = async (name: string) =>
    (await admin.send('GET', `/${realm}/users?username=${name}&exact=true&briefRepresentation=false`)).body[0];
  const entryOf = async (name: string) => {
    const { searchEntries } = await root.search(personDn(name), { scope: 'base' });
    return searchEntries[0];
  };
  const refusal = (code: string) =>
    `80090308: LdapErr: DSID-0C090447, comment: AcceptSecurityContext error, data ${code}, v3839`;

  beforeAll(async () => {
    const slapd = await directoryWith(
      [
        account('alice', 512, '133000000000000000', 1),
        account('disabled', 514, '133000000000000000', 2),
        account('fresh', 544, '0', 3),
        account('expired', 512, '133000000000000000', 4),
        account('barred', 512, '133000000000000000', 5),
        group('domain users', [personDn('nobody')]).replace(
          'objectClass: groupOfNames',
          `$&\nobjectClass: adAccount\nobjectSid:: ${sid(513)}`,
        ),
      ],
      undefined,
      schema,
    );
    proxy = await proxyFor(slapd.url);
    server = await startServer();
    admin = await administrator(server);
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    await storageFor(admin, realm, proxy.url, {
      vendor: 'ad',
      editMode: 'WRITABLE',
      syncRegistrations: 'true',
      uuidLDAPAttribute: 'objectGUID',
      userObjectClasses: 'inetOrgPerson,adAccount',
    });
  }, 60_000);

  it('reads accounts that are disabled or wait for a new password, and GUIDs in their byte order', async () => {
    expect(await userNamed('alice')).toMatchObject({
      enabled: true,
      requiredActions: [],
      attributes: { LDAP_ID: ['33221100-5544-7766-8899-aabbccddee01'] },
    });
    expect(await userNamed('disabled')).toMatchObject({ enabled: false });
    expect(await userNamed('fresh')).toMatchObject({ enabled: true, requiredActions: ['UPDATE_PASSWORD'] });
  });

  it('has accounts in their primary groups, which do not list them', async () => {
    await admin.send('POST', '/', { realm: 'primary', enabled: true });
    const id = await storageFor(admin, 'primary', proxy.url, { vendor: 'ad', uuidLDAPAttribute: 'objectGUID' });
    const mapper = await mapperFor(admin, 'primary', id, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
    });
    await admin.send('POST', `/primary/user-storage/${id}/mappers/${mapper}/sync?direction=fedToService`);
    const groupsOf = async (name: string) => {
      const [user] = (await admin.send('GET', `/primary/users?username=${name}&exact=true`)).body;
      const { body } = await admin.send('GET', `/primary/users/${user.id}/groups`);
      return body.map(({ path }: { path: string }) => path);
    };
    await expect(login(server, 'primary', 'alice', 'alice')).resolves.toBeTruthy();
    expect(await groupsOf('alice')).toEqual(['/domain users']);
    expect((await synchronise(admin, 'primary', id)).body).toMatchObject({ added: 4, updated: 1, failed: 0 });
    expect(await groupsOf('barred')).toEqual(['/domain users']);
  });

  it('writes whether accounts are enabled and have to change their passwords', async () => {
    const alice = await userNamed('alice');
    const path = `/${realm}/users/${alice.id}`;
    expect((await admin.send('PUT', path, { enabled: false })).status).toBe(204);
    expect(await entryOf('alice')).toMatchObject({ userAccountControl: '514' });
    expect((await admin.send('PUT', path, { enabled: true })).status).toBe(204);
    expect(await entryOf('alice')).toMatchObject({ userAccountControl: '512' });
    expect((await admin.send('PUT', path, { requiredActions: ['UPDATE_PASSWORD'] })).status).toBe(204);
    expect(await entryOf('alice')).toMatchObject({ pwdLastSet: '0' });
    expect((await admin.send('PUT', path, { requiredActions: [] })).status).toBe(204);
    expect(await entryOf('alice')).toMatchObject({ pwdLastSet: '-1' });
    const fresh = await userNamed('fresh');
    const password = { type: 'password', value: 'Pässword 1', temporary: false };
    expect((await admin.send('PUT', `/${realm}/users/${fresh.id}/reset-password`, password)).status).toBe(204);
    const entry = await entryOf('fresh');
    expect(entry).toMatchObject({ userAccountControl: '512', pwdLastSet: '-1' });
    const { searchEntries } = await root.search(personDn('fresh'), {
      scope: 'base',
      explicitBufferAttributes: ['unicodePwd'],
    });
    expect(bytesIn(searchEntries[0], 'unicodePwd').toString('utf16le')).toBe('"Pässword 1"');
  });

  it('understands why logins are refused', async () => {
    await userNamed('expired');
    for (const code of ['525', '52e', '775']) {
      proxy.refuseLogin(personDn('expired'), refusal(code));
      await expect(login(server, realm, 'expired', 'expired')).rejects.toThrow('Invalid user credentials');
    }
    expect((await userNamed('expired')).requiredActions).toEqual([]);
    proxy.refuseLogin(personDn('expired'), refusal('773'));
    await expect(login(server, realm, 'expired', 'expired')).rejects.toThrow('Account is not fully set up');
    expect((await userNamed('expired')).requiredActions).toEqual(['UPDATE_PASSWORD']);
    await userNamed('barred');
    proxy.refuseLogin(personDn('barred'), refusal('533'));
    await expect(login(server, realm, 'barred', 'barred')).rejects.toThrow('Invalid user credentials');
    proxy.refuseLogin(personDn('barred'), undefined);
    await expect(login(server, realm, 'barred', 'barred')).rejects.toThrow('Account disabled');
  });

  it('maps whole names, certificates and bytes both ways', async () => {
    await admin.send('POST', '/', { realm: 'mapped', enabled: true });
    const id = await storageFor(admin, 'mapped', proxy.url, { editMode: 'WRITABLE' });
    const mappers = (await admin.send('GET', `/mapped/components?parent=${id}`)).body as { id: string; name: string }[];
    for (const { id, name } of mappers) {
      if (name === 'first name' || name === 'last name') await admin.send('DELETE', `/mapped/components/${id}`);
    }
    await mapperFor(admin, 'mapped', id, 'full-name-ldap-mapper', {
      'ldap.full.name.attribute': 'cn',
      'read.only': 'false',
      'write.only': 'false',
    });
    await mapperFor(admin, 'mapped', id, 'user-attribute-ldap-mapper', {
      'user.model.attribute': 'picture',
      'ldap.attribute': 'jpegPhoto',
      'is.binary.attribute': 'true',
      'always.read.value.from.ldap': 'true',
    });
    await mapperFor(admin, 'mapped', id, 'certificate-ldap-mapper', {
      'user.model.attribute': 'certificate',
      'ldap.attribute': 'userCertificate;binary',
      'is.der.formatted': 'true',
      'is.binary.attribute': 'true',
      'always.read.value.from.ldap': 'true',
    });
    const der = new X509Certificate((await selfSigned()).cert).raw;
    await root.modify(personDn('alice'), [
      new Change({
        operation: 'add',
        modification: new Attribute({ type: 'userCertificate;binary', values: [der] as Buffer[] }),
      }),
      new Change({ operation: 'replace', modification: new Attribute({ type: 'cn', values: ['Alice von Example'] }) }),
    ]);
    expect((await synchronise(admin, 'mapped', id)).body).toMatchObject({ added: 5, failed: 0 });
    const find = async () =>
      (await admin.send('GET', '/mapped/users?username=alice&briefRepresentation=false')).body[0];
    const alice = await find();
    expect(alice).toMatchObject({ firstName: 'Alice von', lastName: 'Example' });
    expect(alice.attributes.certificate).toEqual([der.toString('base64')]);
    const picture = Buffer.from([0xff, 0xd8, 0x00, 0x80]).toString('base64');
    const other = new X509Certificate((await selfSigned()).cert);
    const attributes = { ...alice.attributes, picture: [picture], certificate: [other.toString()] };
    const path = `/mapped/users/${alice.id}`;
    expect((await admin.send('PUT', path, { firstName: 'Al', lastName: 'Exa', attributes })).status).toBe(204);
    const { searchEntries } = await root.search(personDn('alice'), {
      scope: 'base',
      explicitBufferAttributes: ['jpegPhoto', 'userCertificate;binary'],
    });
    expect(searchEntries[0]).toMatchObject({ cn: 'Al Exa' });
    expect(bytesIn(searchEntries[0], 'jpegPhoto').toString('base64')).toBe(picture);
    expect(bytesIn(searchEntries[0], 'userCertificate;binary')).toEqual(other.raw);
    await synchronise(admin, 'mapped', id);
    expect(await find()).toMatchObject({ firstName: 'Al', lastName: 'Exa', attributes: { picture: [picture] } });
  });
});
