import { beforeAll, describe, expect, it } from 'vitest';
import { enterpriseUrn, filtered, groupUrn, operations, type Scim, startScim, userUrn } from './scim.js';

let scim: Scim;

beforeAll(async () => {
  ({ scim } = await startScim());
});

// https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
describe('the requests of Entra ID', () => {
  const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

  it('provision a user', async () => {
    const test = await scim('GET', filtered('/Users', 'userName eq "non-existent user"'));
    expect(test).toMatchObject({ status: 200, body: { schemas: [list], totalResults: 0, Resources: [] } });
    const created = await scim('POST', '/Users', {
      schemas: [userUrn, enterpriseUrn],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
      active: true,
      addresses: [{ formatted: 'Main Street 1', type: 'work', primary: true }],
      displayName: 'lennay',
      emails: [{ primary: true, type: 'work', value: 'lennay@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    const found = await scim('GET', filtered('/Users', 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"'));
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, displayName: 'lennay' }] });
    const changed = await scim(
      'PATCH',
      `/Users/${id}`,
      operations(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555' },
        { op: 'Add', path: `${enterpriseUrn}:employeeNumber`, value: 7 },
        { op: 'Add', path: `${enterpriseUrn}:manager`, value: [{ $ref: '../Users/boss', value: 'boss' }] },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Auditor' },
        { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: 'Side Street 2' },
      ),
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        emails: [{ value: 'updatedemail@microsoft.com', type: 'work', primary: true }],
        name: { familyName: 'updatedFamilyName', formatted: 'givenName familyName' },
        phoneNumbers: [{ type: 'mobile', value: '555' }],
        addresses: [{ type: 'work', formatted: 'Side Street 2' }],
        roles: [{ value: 'Auditor' }],
        [enterpriseUrn]: { employeeNumber: '7', manager: { value: 'boss' } },
      },
    });
    const members = await scim(
      'PATCH',
      `/Users/${id}`,
      operations({
        op: 'Replace',
        value: {
          displayName: 'new',
          'name.givenName': 'New',
          'emails[type eq "work"].value': 'new@testuser.com',
          [`${enterpriseUrn}:department`]: 'IT',
        },
      }),
    );
    expect(members.body).toMatchObject({
      displayName: 'new',
      name: { givenName: 'New' },
      emails: [{ value: 'new@testuser.com' }],
      [enterpriseUrn]: { department: 'IT', employeeNumber: '7' },
    });
    const role = operations({ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Clerk' });
    expect((await scim('PATCH', `/Users/${id}`, role)).body.roles).toEqual([{ value: 'Clerk' }]);
    const disabled = await scim('PATCH', `/Users/${id}`, operations({ op: 'Replace', path: 'active', value: 'False' }));
    expect(disabled.body.active).toBe(false);
    const removed = operations(
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' },
      { op: 'Remove', path: 'phoneNumbers[type eq "fax"].value' },
      { op: 'Remove', path: `${enterpriseUrn}:manager` },
    );
    const { body } = await scim('PATCH', `/Users/${id}`, removed);
    expect(body).not.toHaveProperty('phoneNumbers');
    expect(body[enterpriseUrn]).not.toHaveProperty('manager');
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  });

  it('provision a group', async () => {
    const member = (await scim('POST', '/Users', { schemas: [userUrn], userName: 'member' })).body.id;
    const created = await scim('POST', '/Groups', {
      schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect((await scim('GET', `/Groups/${id}?excludedAttributes=members`)).status).toBe(200);
    const byName = `${filtered('/Groups', 'displayName eq "displayName"')}&excludedAttributes=members`;
    expect((await scim('GET', byName)).body.Resources).toMatchObject([{ id }]);
    const rename = operations({
      op: 'Replace',
      path: 'displayName',
      value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName',
    });
    expect((await scim('PATCH', `/Groups/${id}`, rename)).status).toBe(204);
    const add = operations({ op: 'Add', path: 'members', value: [{ $ref: null, value: member }] });
    expect((await scim('PATCH', `/Groups/${id}`, add)).status).toBe(204);
    const one = filtered('/Groups', `id eq "${id}" and members eq "${member}"`);
    expect((await scim('GET', one)).body.totalResults).toBe(1);
    const remove = operations({ op: 'Remove', path: 'members', value: [{ $ref: null, value: member }] });
    expect((await scim('PATCH', `/Groups/${id}`, remove)).status).toBe(204);
    expect((await scim('GET', one)).body.totalResults).toBe(0);
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  });
});

// https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
describe('the requests of Okta', () => {
  it('provision a user', async () => {
    const test = await scim(
      'GET',
      `${filtered('/Users', 'userName eq "test.user@okta.local"')}&startIndex=1&count=100`,
    );
    expect(test.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0 });
    const user = {
      schemas: [userUrn],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const created = await scim('POST', '/Users', user);
    expect(created.status).toBe(201);
    const { id } = created.body;
    const { password: _, groups: _none, ...shown } = user;
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject(shown);
    const replaced = await scim('PUT', `/Users/${id}`, {
      ...created.body,
      name: { givenName: 'Another', middleName: '', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' }],
      groups: [],
    });
    expect(replaced).toMatchObject({ status: 200, body: { name: { givenName: 'Another' }, locale: 'en-US' } });
    const off = await scim('PATCH', `/Users/${id}`, operations({ op: 'replace', value: { active: false } }));
    expect(off).toMatchObject({ status: 200, body: { active: false } });
  });

  it('provision a group', async () => {
    const { id: value } = (await scim('POST', '/Users', { schemas: [userUrn], userName: 'other@okta.local' })).body;
    const created = await scim('POST', '/Groups', { schemas: [groupUrn], displayName: 'Test SCIMv2', members: [] });
    const { id } = created.body;
    expect((await scim('GET', '/Groups?startIndex=1&count=100')).body.totalResults).toBe(1);
    const rename = operations({ op: 'replace', value: { id, displayName: 'Test SCIMv2b' } });
    expect((await scim('PATCH', `/Groups/${id}`, rename)).status).toBe(204);
    const join = operations({ op: 'add', path: 'members', value: [{ value, display: 'other@okta.local' }] });
    expect((await scim('PATCH', `/Groups/${id}`, join)).status).toBe(204);
    const leave = operations({ op: 'remove', path: `members[value eq "${value}"]` });
    expect((await scim('PATCH', `/Groups/${id}`, leave)).status).toBe(204);
    const replace = operations({ op: 'replace', path: 'members', value: [{ value, display: 'other@okta.local' }] });
    expect((await scim('PATCH', `/Groups/${id}`, replace)).status).toBe(204);
    const put = {
      schemas: [groupUrn],
      id,
      displayName: 'Test SCIMv2',
      members: [{ value, display: 'other@okta.local' }],
    };
    expect(await scim('PUT', `/Groups/${id}`, put)).toMatchObject({ status: 200, body: { members: [{ value }] } });
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  });
});
