import { beforeAll, describe, expect, it } from 'vitest';
import { header, newAuthority, newPair } from '../oauth/certificates.js';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { arrivesAt, byAttribute, byPart, directGrant, realmWith } from './certificate-realm.js';

let server: TestServer;
let admin: Caller;
let folder: string;
let signed: ReturnType<typeof newAuthority>;

beforeAll(async () => {
  server = await startServer({ trustProxy: 1, clientCertificateHeader: header });
  admin = await administrator(server);
  folder = temporaryFolder();
  signed = newAuthority(folder);
});

describe('a certificate with an odd name', () => {
  it('is nobody else by what stands in another part, and may have a negative serial number', async () => {
    await realmWith(
      admin,
      'parts',
      byPart('Match SubjectDN using regular expression', { 'regular-expression': 'CN=(.*?)(?:,|$)' }),
    );
    for (const [name, subject] of [
      ['one', '/CN=mallory/O=x,CN=ann'],
      ['two', '/CN=mallory/O=x, CN=ann, y'],
    ] as const)
      expect(await arrivesAt(server, 'parts', signed(name, subject))).toBe('asked');
    const negative = newPair(
      folder,
      'negative',
      '/CN=mallory',
      '-days',
      '2',
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-set_serial',
      '-5',
    );
    expect(await arrivesAt(server, 'parts', negative)).toBe('asked');
    expect((await directGrant(server, 'parts', negative)).status).toBe(401);
  });

  it('is its most specific common name, if that is one', async () => {
    await realmWith(admin, 'names', byPart("Subject's Common Name"));
    expect(await arrivesAt(server, 'names', signed('users', '/DC=example/CN=Users/CN=ann'))).toBe('logged in');
    expect(await arrivesAt(server, 'names', signed('container', '/CN=ann/CN=mallory'))).toBe('asked');
    expect(await arrivesAt(server, 'names', signed('both', '/CN=ann+CN=mallory'))).toBe('asked');
  });

  it('is nobody else by letters that have the same lower case', async () => {
    const kim = signed('kim', '/CN=\u212Aim');
    const users = [{ username: 'kim', enabled: true, attributes: { dn: ['cn=kim'] } }];
    await realmWith(admin, 'letters', byPart("Subject's Common Name"), users);
    const bySubject = byAttribute('Match SubjectDN using regular expression', 'dn', { 'canonical-dn-enabled': 'true' });
    await realmWith(admin, 'canonical-letters', bySubject, users);
    for (const realm of ['letters', 'canonical-letters']) {
      expect(await arrivesAt(server, realm, signed('real', '/CN=Kim'))).toBe('logged in');
      expect(await arrivesAt(server, realm, kim)).toBe('asked');
      expect((await directGrant(server, realm, kim)).status).toBe(401);
    }
  });

  it('is passed by if an extension cannot be read', async () => {
    const broken = newPair(folder, 'broken', '/CN=ann', '-days', '2', '-addext', '2.5.29.15=DER:ff');
    await realmWith(admin, 'broken', byPart("Subject's Common Name", { keyusage: 'digitalSignature' }));
    await realmWith(admin, 'unread', byPart("Subject's Alternative Name E-mail"));
    for (const realm of ['broken', 'unread']) {
      expect(await arrivesAt(server, realm, broken)).toBe('asked');
      expect((await directGrant(server, realm, broken)).status).toBe(401);
    }
  });
});
