import { Client } from 'ldapts';
import { expect, it } from 'vitest';
import { startWithRealm } from '../support/fixture.js';
import { directoryWith, hasSlapd, rootDn, rootPassword, storageFor, suffix } from './directory.js';

it.skipIf(!hasSlapd).each(['ou=new', ' ou=new, '])(
  'new users are created below `relativeCreateDn` (%j)',
  async (place) => {
    const slapd = await directoryWith([]);
    const root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
    const parent = `ou=new,ou=people,${suffix}`;
    await root.add(parent, { objectClass: 'organizationalUnit', ou: 'new' });
    const { admin } = await startWithRealm({ realm: 'shop', enabled: true });
    const writable = { editMode: 'WRITABLE', syncRegistrations: 'true' };
    const id = await storageFor(admin, 'shop', slapd.url, { ...writable, relativeCreateDn: place });
    const user = { username: 'hanna', firstName: 'Hanna', lastName: 'H', email: 'h@example.org' };
    expect((await admin.send('POST', '/shop/users', user)).status).toBe(201);
    const { searchEntries } = await root.search(parent, { scope: 'one' });
    expect(searchEntries.map(({ dn }) => dn)).toEqual([`uid=hanna,${parent}`]);
    // and found again, as they are below `usersDn`
    const [found] = (await admin.send('GET', '/shop/users?username=hanna')).body;
    expect(found).toMatchObject({ federationLink: id });
    await root.unbind();
  },
);
