// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';
import { filtered, groupUrn, newGroup, newUser, operations, type Scim, startScim } from './scim.js';

let server: TestServer;
let scim: Scim;
let ann: string;
let ben: string;

beforeAll(async () => {
  ({ server, scim } = await startScim());
  ann = await newUser(scim, 'ann');
  ben = await newUser(scim, 'ben');
});

const membersOf = async (id: string): Promise<string[]> =>
  ((await scim('GET', `/Groups/${id}?attributes=members.display`)).body.members ?? []).map(
    ({ display }: { display: string }) => display,
  );

describe('a group', () => {
  it('is created with its members', async () => {
    const { status, body, headers } = await scim('POST', '/Groups', {
      schemas: [groupUrn],
      displayName: 'Staff',
      externalId: 'G-1',
      members: [{ value: ann }],
    });
    expect(status).toBe(201);
    const base = headers.get('location')?.replace(/\/Groups\/.*/, '');
    expect(body).toEqual({
      schemas: [groupUrn],
      id: body.id,
      externalId: 'G-1',
      displayName: 'Staff',
      members: [{ value: ann, $ref: `${base}/Users/${ann}`, type: 'User' }],
      meta: {
        resourceType: 'Group',
        location: `${base}/Groups/${body.id}`,
        version: expect.stringMatching(/^W\/"\d+-[\w-]+"$/),
      },
    });
    expect((await scim('GET', `/Users/${ann}`)).body.groups).toEqual([
      { value: body.id, $ref: `${base}/Groups/${body.id}`, display: 'Staff', type: 'direct' },
    ]);
    const found = await scim('GET', `${filtered('/Groups', 'displayName eq "staff"')}&excludedAttributes=members`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: body.id, externalId: 'G-1' }] });
    expect(found.body.Resources[0]).not.toHaveProperty('members');
    const again = await scim('POST', '/Groups', { schemas: [groupUrn], displayName: 'Staff' });
    expect({ status: again.status, scimType: again.body.scimType }).toEqual({ status: 409, scimType: 'uniqueness' });
  });

  it('is not created with a member that does not exist', async () => {
    const sent = { schemas: [groupUrn], displayName: 'Nobody', members: [{ value: 'nobody' }] };
    const { status, body } = await scim('POST', '/Groups', sent);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: 'invalidValue' });
    expect(body.detail).toContain('members.0');
    expect((await scim('GET', filtered('/Groups', 'displayName eq "Nobody"'))).body.totalResults).toBe(0);
  });

  it('gets and loses members, in each form of the request', async () => {
    const id = await newGroup(scim, 'Forms');
    const change = async (...list: object[]) => {
      expect((await scim('PATCH', `/Groups/${id}`, operations(...list))).status).toBe(204);
      return membersOf(id);
    };
    expect(await change({ op: 'Add', path: 'members', value: [{ value: ann }, { value: ben }] })).toEqual([
      'ann',
      'ben',
    ]);
    expect(await change({ op: 'remove', path: `members[value eq "${ann}"]` })).toEqual(['ben']);
    expect(await change({ op: 'replace', path: 'members', value: [{ value: ann }] })).toEqual(['ann']);
    expect(await change({ op: 'Remove', path: 'members', value: [{ value: ann }, { value: 'missing' }] })).toEqual([]);
    expect(await change({ op: 'add', value: { members: [{ value: ben }] } })).toEqual(['ben']);
    expect(await change({ op: 'remove', path: 'members' })).toEqual([]);
  });

  it('is renamed in the form of Okta, and changes nothing if a part is refused', async () => {
    const id = await newGroup(scim, 'Old');
    const renamed = await scim(
      'PATCH',
      `/Groups/${id}?attributes=displayName`,
      operations({ op: 'replace', value: { id, displayName: 'New' } }),
    );
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'New' } });
    const refused = await scim(
      'PATCH',
      `/Groups/${id}`,
      operations(
        { op: 'replace', path: 'displayName', value: 'Newer' },
        { op: 'add', path: 'members', value: [{ value: 'x' }] },
      ),
    );
    expect(refused.status).toBe(400);
    expect((await scim('GET', `/Groups/${id}`)).body.displayName).toBe('New');
  });

  it('is replaced with its members', async () => {
    const id = await newGroup(scim, 'Whole', { externalId: 'W', members: [{ value: ann }] });
    const { status, body } = await scim('PUT', `/Groups/${id}`, {
      schemas: [groupUrn],
      displayName: 'Whole',
      members: [{ value: ben }],
    });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('externalId');
    expect(await membersOf(id)).toEqual(['ben']);
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
  });

  it('has another ETag with another member', async () => {
    const id = await newGroup(scim, 'Tagged', { members: [{ value: ann }] });
    const etag = (await scim('GET', `/Groups/${id}`)).headers.get('etag') ?? '';
    expect((await scim('GET', `/Groups/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304);
    await scim('PATCH', `/Groups/${id}`, operations({ op: 'add', path: 'members', value: [{ value: ben }] }));
    expect((await scim('GET', `/Groups/${id}`, undefined, { 'if-none-match': etag })).status).toBe(200);
  });

  it('gets a member with as many statements whether it has two or forty', async () => {
    const cost = async (count: number): Promise<number> => {
      const ids = await Promise.all(Array.from({ length: count }, (_, at) => newUser(scim, `m-${count}-${at}`)));
      const id = await newGroup(scim, `With ${count}`, { members: ids.map((value) => ({ value })) });
      const patch = operations({ op: 'add', path: 'members', value: [{ value: ann }] });
      return countStatements(server, async () => {
        expect((await scim('PATCH', `/Groups/${id}`, patch)).status).toBe(204);
      });
    };
    await cost(1);
    const few = await cost(2);
    expect(await cost(40)).toBe(few);
  });
});
