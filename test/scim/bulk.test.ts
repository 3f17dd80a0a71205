import { beforeAll, describe, expect, it } from 'vitest';
import { filtered, groupUrn, newUser, operations, type Scim, startScim, userUrn } from './scim.js';

let scim: Scim;

beforeAll(async () => {
  ({ scim } = await startScim());
});

const bulk = (list: object[], others: object = {}) =>
  scim('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: list,
    ...others,
  });
const post = (bulkId: string, userName: string) => ({
  method: 'POST',
  path: '/Users',
  bulkId,
  data: { schemas: [userUrn], userName },
});

describe('a bulk request', () => {
  it('creates resources that refer to each other, in any order', async () => {
    const group = { schemas: [groupUrn], displayName: 'Tour', members: [{ type: 'User', value: 'bulkId:u1' }] };
    const { status, body } = await bulk([
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g1',
        data: operations({ op: 'add', path: 'members', value: [{ value: 'bulkId:u2' }] }),
      },
      { method: 'POST', path: '/Groups', bulkId: 'g1', data: group },
      post('u1', 'one'),
      post('u2', 'two'),
    ]);
    expect(status).toBe(200);
    expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:BulkResponse']);
    expect(body.Operations.map((one: { status: string }) => one.status).sort()).toEqual(['201', '201', '201', '204']);
    const created = body.Operations.find(({ bulkId }: { bulkId?: string }) => bulkId === 'g1');
    expect(created).toEqual({
      method: 'POST',
      bulkId: 'g1',
      location: expect.stringContaining('/Groups/'),
      version: expect.stringMatching(/^W\//),
      status: '201',
    });
    const { body: found } = await scim(
      'GET',
      `${filtered('/Groups', 'displayName eq "Tour"')}&attributes=members.display`,
    );
    expect(found.Resources[0].members).toEqual([{ display: 'one' }, { display: 'two' }]);
  });

  it('goes on after errors until there are as many as it allows', async () => {
    const id = await newUser(scim, 'stays');
    const list = [
      { method: 'DELETE', path: '/Users/missing' },
      {
        method: 'PATCH',
        path: `/Users/${id}`,
        version: 'W/"7"',
        data: operations({ op: 'add', path: 'title', value: 'x' }),
      },
      post('u3', 'three'),
    ];
    const few = (await bulk(list, { failOnErrors: 2 })).body.Operations;
    expect(few.map((one: { status: string }) => one.status)).toEqual(['404', '412']);
    expect(few[0]).toMatchObject({
      location: expect.stringMatching(/\/Users\/missing$/),
      response: { status: '404', schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] },
    });
    const all = (await bulk(list)).body.Operations;
    expect(all.map((one: { status: string }) => one.status)).toEqual(['404', '412', '201']);
  });

  it.each([
    [{ method: 'GET', path: '/Users' }, 'GET'],
    [{ method: 'POST', path: '/Users', data: {} }, 'bulkId'],
    [{ method: 'POST', path: '/Bulk', bulkId: 'x', data: {} }, '/Bulk'],
    [{ method: 'PUT', path: '/Groups/bulkId:none', data: {} }, 'none'],
    [
      { method: 'POST', path: '/Groups', bulkId: 'me', data: { displayName: 'x', members: [{ value: 'bulkId:me' }] } },
      'me',
    ],
  ])('has an error in place of %j', async (operation, part) => {
    const [result] = (await bulk([operation])).body.Operations;
    expect(result).toMatchObject({ status: '400', response: { detail: expect.stringContaining(part) } });
  });

  it('is refused with too many operations, or as a dry run', async () => {
    expect((await bulk(Array(1001).fill({ method: 'DELETE', path: '/Users/x' }))).status).toBe(413);
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [post('u4', 'four')] };
    expect((await scim('POST', '/Bulk', body, { prefer: 'dry-run' })).status).toBe(400);
    expect((await scim('GET', filtered('/Users', 'userName eq "four"'))).body.totalResults).toBe(0);
  });
});

describe('concurrent PATCH requests', () => {
  it('all count, since each is derived from the version that it changes', async () => {
    const id = await newUser(scim, 'busy');
    const add = (value: string) =>
      scim('PATCH', `/Users/${id}`, operations({ op: 'add', path: 'roles', value: [{ value }] }));
    const answers = await Promise.all(['a', 'b', 'c'].map(add));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { roles } = (await scim('GET', `/Users/${id}`)).body;
    expect(roles.map(({ value }: { value: string }) => value).sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('a repeated request', () => {
  it('with the same idempotency key gets the first answer, and changes nothing', async () => {
    const headers = { 'idempotency-key': 'once' };
    const send = () => scim('POST', '/Users', { schemas: [userUrn], userName: 'once' }, headers);
    const first = await send();
    const second = await send();
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a dry run', () => {
  it('changes nothing', async () => {
    const id = await newUser(scim, 'dry');
    const headers = { prefer: 'dry-run' };
    expect((await scim('POST', '/Users', { userName: 'drier' }, headers)).status).toBe(204);
    expect((await scim('POST', '/Groups', { displayName: 'Dry', members: [{ value: id }] }, headers)).status).toBe(204);
    expect(
      (await scim('PATCH', `/Users/${id}`, operations({ op: 'add', path: 'title', value: 'x' }), headers)).status,
    ).toBe(204);
    expect((await scim('POST', '/Users', { userName: 'dry' }, headers)).status).toBe(409);
    expect((await scim('GET', filtered('/Users', 'userName eq "drier" or title pr'))).body.totalResults).toBe(0);
    expect((await scim('GET', filtered('/Groups', 'displayName eq "Dry"'))).body.totalResults).toBe(0);
  });
});

describe('discovery', () => {
  it('describes what there is', async () => {
    const config = (await scim('GET', '/ServiceProviderConfig')).body;
    for (const feature of ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag'])
      expect(config[feature].supported).toBe(true);
    const types = (await scim('GET', '/ResourceTypes')).body;
    expect(types).toMatchObject({ totalResults: 2, Resources: [{ id: 'User', endpoint: '/Users' }, { id: 'Group' }] });
    const schemas = (await scim('GET', '/Schemas')).body;
    for (const { meta, ...schema } of schemas.Resources) {
      const path = new URL(meta.location).pathname.replace(/.*\/scim\/v2/, '');
      expect((await scim('GET', path)).body).toEqual({ meta, ...schema });
    }
    expect((await scim('GET', '/Schemas/urn:none')).status).toBe(404);
    expect((await scim('GET', filtered('/Schemas', 'id pr'))).status).toBe(403);
  });
});
