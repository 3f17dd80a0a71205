// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

const realm = 'choir';
let admin: Caller;

const day = 86_400_000;
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const answer = (query: string) => admin.send('GET', `/${realm}/users?${query}`);
/** The names of the users that a query finds; their number is that of the count with the same query. */
async function found(query: string): Promise<string> {
  const { status, body } = await answer(query);
  expect(status).toBe(200);
  const count = await admin.send('GET', `/${realm}/users/count?${query}`);
  expect(count.body).toBe(body.length);
  return body.map(({ username }: { username: string }) => username).join(' ');
}

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  // files may state the time, and users without one have none
  const createdTimestamp = Date.now();
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    roles: { realm: [{ name: 'soprano' }] },
    users: [
      {
        username: 'ada',
        createdTimestamp,
        email: 'Ada@Choir.example',
        firstName: 'Ada',
        realmRoles: ['soprano'],
        attributes: { voice: ['Alto', 'Soprano'], 'home town': ['New York'] },
      },
      { username: 'bea', createdTimestamp, lastName: 'Byron', attributes: { voice: ['alto'] } },
      { username: 'cleo', createdTimestamp, attributes: { voice: ['tenor'] } },
    ],
  });
  expect(status).toBe(201);
});

describe('the parameter q', () => {
  it('finds users by any value of an attribute, whatever the case', async () => {
    expect(await found('q=voice:alto')).toBe('ada bea');
    expect(await found('q=voice:SOPRANO')).toBe('ada');
    expect(await found('q=voice:alt')).toBe('');
    expect(await found('q=voice:*')).toBe('');
  });

  it('takes several terms, which apply together, and quoted texts', async () => {
    expect(await found(`q=${encodeURIComponent('voice:alto "home town":"New York"')}`)).toBe('ada');
    expect(await found('q=voice:alto%20voice:soprano')).toBe('ada');
    expect(await found('q=voice:alto%20voice:tenor')).toBe('');
  });

  it('knows the fields of a user', async () => {
    expect(await found('q=username:Bea')).toBe('bea');
    expect(await found('q=email:ada@choir.example')).toBe('ada');
    expect(await found('q=firstName:ada')).toBe('ada');
    expect(await found('q=lastName:byron')).toBe('bea');
  });

  it('is refused if it names more than 20 attributes', async () => {
    const terms = (count: number) => Array.from({ length: count }, (_, at) => `a${at}:b`).join('%20');
    expect(await answer(`q=${terms(21)}`)).toMatchObject({
      status: 400,
      body: { errorMessage: expect.stringContaining('`q`') },
    });
    expect(await found(`q=${terms(20)}`)).toBe('');
  });

  it('applies beside other criteria, and to a search', async () => {
    expect(await found('q=voice:alto&username=be')).toBe('bea');
    expect(await found('q=voice:alto&search=ada')).toBe('ada');
    expect(await found('q=voice:tenor&search=ada')).toBe('');
  });
});

describe('the time of creation', () => {
  it('is compared with a day or with milliseconds', async () => {
    const now = Date.now();
    expect(await found(`createdAfter=${dateOf(now - day)}`)).toBe('ada bea cleo');
    expect(await found(`createdAfter=${now + day}`)).toBe('');
    expect(await found(`createdBefore=${dateOf(now + day)}`)).toBe('ada bea cleo');
    expect(await found(`createdBefore=${dateOf(now - 2 * day)}&search=a`)).toBe('');
    // a day lasts until its end
    expect(await found(`createdBefore=${dateOf(now)}&createdAfter=${dateOf(now - day)}`)).not.toBe('');
  });

  it.each(['createdAfter', 'createdBefore'])('is refused by name if it is neither: %s', async (name) => {
    for (const value of ['yesterday', '2020-13-01', '2020-01-01T00:00:00Z', '-5']) {
      const { status, body } = await answer(`${name}=${value}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(name);
    }
  });
});

it('the users of a role come in the brief form on request', async () => {
  const path = `/${realm}/roles/soprano/users`;
  const [full] = (await admin.send('GET', path)).body;
  expect(full.attributes.voice).toEqual(['Alto', 'Soprano']);
  const [brief] = (await admin.send('GET', `${path}?briefRepresentation=true`)).body;
  expect(brief).toMatchObject({ username: 'ada', firstName: 'Ada' });
  expect(brief).not.toHaveProperty('attributes');
});
