// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../support/fixture.js';
import { customUrn, enterpriseUrn, newUser, operations, realm, type Scim, startScim, userUrn } from './scim.js';

let admin: Caller;
let scim: Scim;

beforeAll(async () => {
  ({ admin, scim } = await startScim());
});

const ann = {
  schemas: [userUrn, enterpriseUrn, customUrn],
  externalId: 'E-1',
  userName: 'Ann',
  name: { givenName: 'Ann', familyName: 'Lee', honorificPrefix: 'Dr.' },
  displayName: 'Ann L.',
  emails: [{ value: 'Ann@Shop.test', type: 'work', primary: true }],
  phoneNumbers: [
    { value: '1', type: 'work' },
    { value: '2', type: 'mobile' },
  ],
  addresses: [{ type: 'work', locality: 'Vienna', country: 'AT' }],
  title: 'Clerk',
  locale: 'de',
  active: true,
  password: 'pw-of-ann',
  [enterpriseUrn]: { employeeNumber: '42', department: 'Sales', manager: { value: 'boss' } },
  [customUrn]: { shoe: ['41', '42'] },
};

describe('a user', () => {
  it('is created, and returned with everything but the password', async () => {
    const { status, body, headers } = await scim('POST', '/Users', ann);
    expect(status).toBe(201);
    expect(headers.get('content-type')).toBe('application/scim+json');
    const { password: _, ...shown } = ann;
    expect(body).toEqual({
      ...shown,
      id: body.id,
      userName: 'ann',
      name: { formatted: 'Ann Lee', ...ann.name },
      emails: [{ value: 'ann@shop.test', type: 'work', primary: true }],
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/^\d{4}-/),
        location: headers.get('location'),
        version: 'W/"0"',
      },
    });
    expect(headers.get('location')).toMatch(new RegExp(`/auth/realms/${realm}/scim/v2/Users/${body.id}$`));
    expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body);
  });

  it('has its values where the REST API has them', async () => {
    const [user] = (await admin.send('GET', `/${realm}/users?username=ann&exact=true`)).body;
    expect(user).toMatchObject({
      username: 'ann',
      firstName: 'Ann',
      lastName: 'Lee',
      email: 'ann@shop.test',
      enabled: true,
      attributes: {
        'scim.externalId': ['E-1'],
        phoneNumber: ['1'],
        'phoneNumber.mobile': ['2'],
        locality: ['Vienna'],
        country: ['AT'],
        title: ['Clerk'],
        locale: ['de'],
        employeeNumber: ['42'],
        department: ['Sales'],
        manager: ['boss'],
        shoe: ['41', '42'],
      },
    });
  });

  it('is refused a username that somebody has', async () => {
    const { status, body } = await scim('POST', '/Users', { schemas: [userUrn], userName: 'ANN' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '409',
      scimType: 'uniqueness',
    });
  });

  it.each([
    [{ userName: '' }, 'userName'],
    [{ userName: 'x', active: 'perhaps' }, 'active'],
    [{ userName: 'x', name: 'X' }, 'name'],
    [{ userName: 'x', name: { givenName: {} } }, 'name.givenName'],
    [{ userName: 'x', emails: [{ value: 'a@shop.test, b@shop.test' }] }, 'emails'],
    [{ userName: 'x', [customUrn]: { title: ['x'] } }, 'title'],
  ])('is refused for %j, with the attribute', async (input, attribute) => {
    const { status, body } = await scim('POST', '/Users', { schemas: [userUrn], ...input });
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: 'invalidValue' });
    expect(body.detail).toContain(attribute);
  });

  it('names attributes that are ignored', async () => {
    const { status, headers } = await scim('POST', '/Users', {
      userName: 'ignored',
      ims: [{ value: 'x' }],
      emails: [
        { value: 'second@shop.test', type: 'home' },
        { value: 'first@shop.test', type: 'work', primary: true },
      ],
    });
    expect(status).toBe(201);
    expect(headers.get('x-ignored-fields')).toBe('2: ims, emails.0');
  });

  it('is replaced: missing attributes are cleared, except custom ones', async () => {
    const id = await newUser(scim, 'ben', {
      title: 'Chief',
      name: { givenName: 'Ben' },
      [customUrn]: { shoe: ['39'] },
    });
    const { status, body } = await scim('PUT', `/Users/${id}`, {
      schemas: [userUrn],
      userName: 'ben2',
      name: { familyName: 'Hur' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ userName: 'ben2', active: true, [customUrn]: { shoe: ['39'] } });
    expect(body.name).toEqual({ formatted: 'Hur', familyName: 'Hur' });
    expect(body).not.toHaveProperty('title');
    const other = { schemas: [userUrn, customUrn], userName: 'ben2', [customUrn]: { hat: 'M' } };
    expect((await scim('PUT', `/Users/${id}`, other)).body[customUrn]).toEqual({ hat: ['M'] });
  });

  it('is changed only in the version that If-Match states', async () => {
    const id = await newUser(scim, 'versioned');
    const patch = operations({ op: 'replace', path: 'title', value: 'A' });
    const first = await scim('PATCH', `/Users/${id}`, patch, { 'if-match': 'W/"0"' });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).toBe('W/"1"');
    const second = await scim('PATCH', `/Users/${id}`, patch, { 'if-match': 'W/"0"' });
    expect({ status: second.status, body: second.body.status }).toEqual({ status: 412, body: '412' });
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"1"' })).status).toBe(304);
  });

  it('is deleted', async () => {
    const id = await newUser(scim, 'gone');
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    const { status, body } = await scim('GET', `/Users/${id}`);
    expect({ status, body: body.status }).toEqual({ status: 404, body: '404' });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  });
});
