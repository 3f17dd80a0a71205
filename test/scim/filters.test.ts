// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';
import { customUrn, enterpriseUrn, filtered, newGroup, newUser, realm, type Scim, startScim, userUrn } from './scim.js';

let server: TestServer;
let admin: Caller;
let scim: Scim;
const ids: Record<string, string> = {};

beforeAll(async () => {
  ({ server, admin, scim } = await startScim());
  ids.ann = await newUser(scim, 'ann', {
    externalId: 'A1',
    name: { givenName: 'Ann', familyName: 'Lee' },
    emails: [{ value: 'ann@shop.test' }],
    title: 'Chief Clerk',
    [enterpriseUrn]: { department: 'Sales' },
    [customUrn]: { 'shoe.size': ['41'] },
  });
  ids.ben = await newUser(scim, 'ben', {
    externalId: 'a1',
    name: { givenName: 'Ben', familyName: 'O"Hara' },
    emails: [{ value: 'ben@shop.test', type: 'work', primary: false }],
    phoneNumbers: [{ value: '55', type: 'mobile' }],
    active: false,
  });
  ids.cid = await newUser(scim, 'cid', { title: 'Clerk', roles: [{ value: 'Boss' }] });
  ids.staff = await newGroup(scim, 'Staff', { members: [{ value: ids.ann }, { value: ids.ben }] });
  await newGroup(scim, 'Night', {});
});

const found = async (filter: string, path = '/Users'): Promise<string[]> => {
  const { status, body } = await scim('GET', filtered(path, filter));
  expect({ status, detail: body.detail }).toEqual({ status: 200 });
  expect(body.totalResults).toBe(body.Resources.length);
  return body.Resources.map((one: { userName?: string; displayName: string }) => one.userName ?? one.displayName);
};

describe('a filter of users', () => {
  it.each<[string, string[]]>([
    ['userName eq "ANN"', ['ann']],
    ['USERNAME Eq "ann"', ['ann']],
    [`${userUrn}:userName eq "ann"`, ['ann']],
    ['userName ne "ann"', ['ben', 'cid']],
    ['userName co "n"', ['ann', 'ben']],
    ['userName sw "a" or userName ew "d"', ['ann', 'cid']],
    ['userName gt "ann" and userName le "ben"', ['ben']],
    ['externalId eq "a1"', ['ben']],
    ['externalId pr', ['ann', 'ben']],
    ['not (externalId pr)', ['cid']],
    ['name.familyName eq "o\\"hara"', ['ben']],
    ['name.givenName sw "B"', ['ben']],
    ['emails eq "ann@shop.test"', ['ann']],
    ['emails.value ew "@shop.test"', ['ann', 'ben']],
    ['emails[type eq "work" and value co "BEN"]', ['ben']],
    ['emails[type eq "home"]', []],
    ['emails[primary eq true]', ['ann']],
    ['emails[primary eq false]', ['ben']],
    ['phoneNumbers[type eq "mobile"]', ['ben']],
    ['phoneNumbers.type eq "work"', []],
    ['not (phoneNumbers[value eq "55"])', ['ann', 'cid']],
    ['active eq false', ['ben']],
    ['active eq "True"', ['ann', 'cid']],
    ['title co "clerk" and not (title sw "chief")', ['cid']],
    ['title eq null', ['ben']],
    ['roles.value eq "Boss"', ['cid']],
    [`${enterpriseUrn}:department eq "sales"`, ['ann']],
    [`${customUrn}:shoe.size eq "41"`, ['ann']],
    ['meta.created gt "2020-01-01T00:00:00Z"', ['ann', 'ben', 'cid']],
    ['meta.created lt "2020-01-01T00:00:00Z"', []],
    ['userName eq "ann" or userName eq "ben" and userName eq "cid"', ['ann']],
    ['(userName eq "ann" or userName eq "ben") and userName eq "cid"', []],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  it('tests groups and IDs', async () => {
    expect(await found(`groups.value eq "${ids.staff}"`)).toEqual(['ann', 'ben']);
    expect(await found(`groups[value eq "${ids.staff}"] and active eq true`)).toEqual(['ann']);
    expect(await found(`id eq "${ids.cid}"`)).toEqual(['cid']);
    expect(await found(`members.value eq "${ids.ann}"`, '/Groups')).toEqual(['Staff']);
    expect(await found('displayName co "T"', '/Groups')).toEqual(['Night', 'Staff']);
    expect(await found('not (members pr)', '/Groups')).toEqual(['Night']);
  });

  it.each([
    ['displayName eq "x"', 'displayName'],
    ['password eq "x"', 'password'],
    ['meta.version eq "x"', 'meta.version'],
    ['shoe eq "x"', 'shoe'],
    ['__proto__ eq "x"', '__proto__'],
    ['constructor pr', 'constructor'],
    ['userName', 'operator'],
    ['userName eq', 'value'],
    ['userName eq x', 'x'],
    ['userName is "x"', 'is'],
    ['userName eq "x" userName', 'userName'],
    ['(userName eq "x"', ')'],
    ['userName eq "x', 'closed'],
    ['emails[type eq "work"', ']'],
    ['active gt true', 'active'],
    ['meta.created gt "soon"', 'meta.created'],
    [`${'('.repeat(21)}userName pr${')'.repeat(21)}`, 'levels'],
    [Array(201).fill('userName pr').join(' or '), 'comparisons'],
    [`userName eq "${'x'.repeat(4000)}"`, 'characters'],
  ])('is refused: %s', async (filter, part) => {
    const { status, body } = await scim('GET', filtered('/Users', filter));
    expect(status).toBe(400);
    expect(body.scimType).toMatch(/^invalid(Filter|Path)$/);
    expect(body.detail).toContain(part);
  });
});

describe('a page of users', () => {
  const names = async (query: string) => {
    const { status, body } = await scim('GET', `/Users?${query}`);
    expect({ status, detail: body.detail }).toEqual({ status: 200 });
    return { ...body, names: body.Resources.map(({ userName }: { userName: string }) => userName) };
  };

  it('is chosen by index, sorted, and counted', async () => {
    expect(await names('startIndex=2&count=1')).toMatchObject({
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      names: ['ben'],
    });
    expect(await names('count=0')).toMatchObject({ totalResults: 3, itemsPerPage: 0, names: [] });
    expect(await names('startIndex=-5&count=2')).toMatchObject({ startIndex: 1, names: ['ann', 'ben'] });
    expect(await names('startIndex=9')).toMatchObject({ totalResults: 3, names: [] });
    expect((await names('sortBy=userName&sortOrder=descending')).names).toEqual(['cid', 'ben', 'ann']);
    expect((await names('sortBy=name.familyName')).names).toEqual(['ann', 'ben', 'cid']);
  });

  it('follows a cursor', async () => {
    const first = await names('cursor=&count=2');
    expect(first).toMatchObject({ totalResults: 3, names: ['ann', 'ben'] });
    const second = await names(`cursor=${first.nextCursor}&count=2`);
    expect(second).toMatchObject({ totalResults: 3, names: ['cid'] });
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('has the attributes that are asked for', async () => {
    const { body } = await scim(
      'GET',
      `/Users/${ids.ann}?attributes=emails.value,${enterpriseUrn}:department,meta.version`,
    );
    expect(body).toEqual({
      schemas: [userUrn, enterpriseUrn, customUrn],
      id: ids.ann,
      emails: [{ value: 'ann@shop.test' }],
      meta: { version: expect.any(String) },
      [enterpriseUrn]: { department: 'Sales' },
    });
    const rest = (await scim('GET', `/Users/${ids.ann}?excludedAttributes=id,groups,name.givenName,${customUrn}`)).body;
    expect(rest).toMatchObject({ id: ids.ann, name: { familyName: 'Lee' } });
    for (const name of ['groups', customUrn]) expect(rest).not.toHaveProperty([name]);
    expect(rest.name).not.toHaveProperty('givenName');
  });

  it.each([
    ['count=many', 'invalidValue'],
    ['count=1&count=2', 'invalidValue'],
    ['sortBy=title', 'invalidPath'],
    ['cursor=wrong', 'invalidCursor'],
    ['attributes=id&excludedAttributes=name', 'invalidValue'],
  ])('is refused: %s', async (query, scimType) => {
    const { status, body } = await scim('GET', `/Users?${query}`);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType });
  });

  it('is found by a POST, in one type and in all of them', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const users = await scim('POST', '/Users/.search', { schemas, filter: 'active eq true', count: 1 });
    expect(users).toMatchObject({ status: 200, body: { totalResults: 2, itemsPerPage: 1 } });
    const all = await scim('POST', '/.search', { schemas, startIndex: 3, count: 2 });
    expect(all.body).toMatchObject({ totalResults: 5, Resources: [{ userName: 'cid' }, { displayName: 'Night' }] });
  });

  it('takes as many statements whatever its length, and at most one more than the page of REST', async () => {
    const cost = async (work: () => Promise<unknown>): Promise<number> => {
      await work();
      return countStatements(server, work);
    };
    const one = await cost(() => scim('GET', '/Users?count=1'));
    expect(await cost(() => scim('GET', '/Users?count=2'))).toBe(one);
    expect(one).toBeLessThanOrEqual(1 + (await cost(() => admin.send('GET', `/${realm}/users?max=2`))));
    const groups = await cost(() => scim('GET', '/Groups?count=1'));
    expect(await cost(() => scim('GET', '/Groups?count=2'))).toBeLessThanOrEqual(groups);
  });
});
