// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

const realm = 'people';
let server: TestServer;
let admin: Caller;
let viewer: Caller;
let searcher: Caller;

const rest = (method: string, path: string, body?: unknown, headers?: Record<string, string>, caller = admin) =>
  caller.send(method, `/${realm}${path}`, body, headers);
const create = async (user: object): Promise<string> => {
  const answer = await rest('POST', '/users', user);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.headers.get('location') as string).split('/').at(-1) as string;
};
const usernames = async (query: string) =>
  (await rest('GET', `/users?${query}`)).body.map(({ username }: { username: string }) => username);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const user = (username: string, role: string) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'secret-1' }],
    clientRoles: { 'realm-management': [role] },
  });
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    passwordPolicy: 'length(4)',
    groups: [{ name: 'staff' }, { name: 'night' }],
    users: [user('viewer', 'view-users'), user('searcher', 'query-users')],
  });
  expect(status).toBe(201);
  viewer = await userOf(server, realm, 'viewer', 'secret-1');
  searcher = await userOf(server, realm, 'searcher', 'secret-1');
});

describe('creating and changing users over REST', () => {
  it('stores what is given and gives what every new user gets', async () => {
    const id = await create({
      username: 'Жанна.Ö',
      email: 'Zh@Example.org',
      firstName: '日本',
      attributes: { ключ: ['значение', '🙂'] },
      groups: ['staff', '/night'],
      requiredActions: ['VERIFY_EMAIL', 'NO_SUCH'],
      credentials: [{ type: 'password', value: 'пароль-1', temporary: true }],
    });
    const { body, headers } = await rest('GET', `/users/${id}`);
    expect(body).toMatchObject({
      username: 'жанна.ö',
      email: 'zh@example.org',
      firstName: '日本',
      enabled: false,
      attributes: { ключ: ['значение', '🙂'] },
    });
    expect(body.requiredActions.sort()).toEqual(['UPDATE_PASSWORD', 'VERIFY_EMAIL']);
    expect(headers.get('etag')).toBe('"0"');
    const groups = (await rest('GET', `/users/${id}/groups`)).body;
    expect(groups.map(({ path }: { path: string }) => path)).toEqual(['/night', '/staff']);
    const roles = (await rest('GET', `/users/${id}/role-mappings/realm`)).body;
    expect(roles.map(({ name }: { name: string }) => name)).toEqual([`default-roles-${realm}`]);
  });

  it('keeps secrets out of audit records', async () => {
    const id = await create({ username: 'audited', credentials: [{ type: 'password', value: 'very-secret' }] });
    await rest('PUT', `/users/${id}`, { firstName: 'A', credentials: [{ type: 'password', value: 'more-secret' }] });
    await rest('PUT', `/users/${id}/reset-password`, { type: 'password', value: 'most-secret' });
    const events = await server.database.read.adminEvent.findMany({
      where: { resourcePath: { startsWith: `users/${id}` } },
    });
    expect(events.map(({ operation }) => operation).sort()).toEqual(['user.create', 'user.setPassword', 'user.update']);
    expect(JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toMatch(/-secret/);
    expect(events.find(({ operation }) => operation === 'user.update')?.before).toContain('audited');
  });

  it('takes the same number of statements however much a user has', async () => {
    const small = { username: 'small', attributes: { a: ['1'] }, groups: ['staff'] };
    const attributes = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, ['1', '2']]));
    const large = { username: 'large', attributes, groups: ['staff', 'night'] };
    await create({ username: 'warm-up' });
    const one = await countStatements(server, () => create(small));
    const many = await countStatements(server, () => create(large));
    expect(many).toBe(one);
    expect(one).toBeLessThanOrEqual(9);
  });

  it('refuses a name or address that is taken, also when two writers come at once', async () => {
    await create({ username: 'taken', email: 'taken@example.org' });
    expect((await rest('POST', '/users', { username: 'TAKEN' })).body).toEqual({
      errorMessage: 'User exists with same username',
    });
    expect((await rest('POST', '/users', { username: 'other', email: 'Taken@example.org' })).status).toBe(409);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => rest('POST', '/users', { username: 'race', email: 'race@example.org' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('loses nothing when two writers change different things', async () => {
    const id = await create({ username: 'shared', firstName: 'old', lastName: 'old' });
    const answers = await Promise.all([
      rest('PUT', `/users/${id}`, { firstName: 'new' }),
      rest('PUT', `/users/${id}`, { lastName: 'new' }),
      rest('PUT', `/users/${id}`, { attributes: { color: ['red'] } }),
      rest('PUT', `/users/${id}/reset-password`, { value: 'secret-2', temporary: true }),
      rest('PUT', `/users/${id}`, { enabled: true }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    const { body, headers } = await rest('GET', `/users/${id}`);
    expect(body).toMatchObject({
      firstName: 'new',
      lastName: 'new',
      enabled: true,
      attributes: { color: ['red'] },
      requiredActions: ['UPDATE_PASSWORD'],
    });
    expect(headers.get('etag')).toBe('"5"');
    expect(await usernames('search=new')).toEqual(['shared']);
    expect((await rest('PUT', `/users/${id}`, { firstName: 'x' }, { 'if-match': '"4"' })).status).toBe(412);
  });

  it('changes nothing when it refuses', async () => {
    const id = await create({ username: 'weak', firstName: 'old' });
    const answer = await rest('PUT', `/users/${id}`, { firstName: 'new', credentials: [{ value: 'x' }] });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ errorMessage: 'Could not update user!' });
    expect((await rest('GET', `/users/${id}`)).body.firstName).toBe('old');
    await rest('PUT', `/users/${id}`, { federationLink: 'nowhere' });
    expect((await rest('GET', `/users/${id}`)).status).toBe(200);
  });
});

describe('credentials over REST', () => {
  it('accepts both names of the password and keeps the id of the credential', async () => {
    const id = await create({ username: 'pat', enabled: true });
    expect((await rest('PUT', `/users/${id}/reset-password`, { rawPassword: 'first' })).status).toBe(204);
    expect(await login(server, realm, 'pat', 'first')).toBeTruthy();
    const [first] = (await rest('GET', `/users/${id}/credentials`)).body;
    expect((await rest('PUT', `/users/${id}/reset-password`, { value: 'second' })).status).toBe(204);
    expect(await login(server, realm, 'pat', 'second')).toBeTruthy();
    await expect(login(server, realm, 'pat', 'first')).rejects.toThrow();
    const credentials = (await rest('GET', `/users/${id}/credentials`)).body;
    expect(credentials).toHaveLength(1);
    expect(credentials[0].id).toBe(first.id);
    expect(Object.keys(credentials[0]).sort()).toEqual(['createdDate', 'credentialData', 'id', 'type']);
  });

  it('stores secrets sealed or at least never answers them', async () => {
    const secretData = '{"value":"JBSWY3DPEHPK3PXP"}';
    const otp = { type: 'otp', userLabel: 'phone', secretData, credentialData: '{"digits":6}' };
    const id = await create({ username: 'device', credentials: [otp] });
    expect(JSON.stringify((await rest('GET', `/users/${id}/credentials`)).body)).not.toContain('JBSWY3DPEHPK3PXP');
    expect((await rest('GET', `/users/${id}`)).body.totp).toBe(true);
  });

  it('puts a credential first with moveAfter/null', async () => {
    const otp = (userLabel: string) => ({ type: 'otp', userLabel, secretData: '{"value":"x"}', credentialData: '{}' });
    const id = await create({ username: 'mover', credentials: [otp('a'), otp('b'), otp('c')] });
    const labels = async () =>
      (await rest('GET', `/users/${id}/credentials`)).body.map(({ userLabel }: { userLabel: string }) => userLabel);
    const list = (await rest('GET', `/users/${id}/credentials`)).body;
    const move = (at: number, where: string) => rest('POST', `/users/${id}/credentials/${list[at].id}/${where}`);
    expect(await labels()).toEqual(['a', 'b', 'c']);
    expect((await move(2, 'moveAfter/null')).status).toBe(204);
    expect(await labels()).toEqual(['c', 'a', 'b']);
    await move(2, `moveAfter/${list[1].id}`);
    expect(await labels()).toEqual(['a', 'b', 'c']);
  });
});

describe('searching users over REST', () => {
  beforeAll(async () => {
    await create({ username: 'wild_card', firstName: 'Wanda', lastName: 'O\\Neil 50%' });
    await create({ username: 'wildxcard', firstName: 'Oneil', lastName: 'Wanda' });
  });

  it('passes the wild cards of SQL through, but no backslash', async () => {
    expect(await usernames('username=wild_card')).toEqual(['wild_card', 'wildxcard']);
    expect(await usernames('username=wild_card&exact=true')).toEqual(['wild_card']);
    expect(await usernames(`search=${encodeURIComponent('o\\neil')}`)).toEqual(['wild_card']);
    expect(await usernames(`search=${encodeURIComponent('\\')}`)).toEqual(['wild_card']);
  });

  it('tells first and last names apart', async () => {
    expect(await usernames('firstName=WANDA')).toEqual(['wild_card']);
    expect(await usernames('lastName=wanda')).toEqual(['wildxcard']);
    expect(await usernames('firstName=wanda&exact=true')).toEqual(['wild_card']);
    expect(await usernames('firstName=wand&exact=true')).toEqual([]);
  });

  it('is one statement, and so is the count; SQLite is asked for candidates before', async () => {
    await rest('GET', '/users');
    const searching = server.database.dialect === 'sqlite' ? 2 : 1;
    expect(await countStatements(server, () => rest('GET', '/users?max=50'))).toBe(1);
    expect(await countStatements(server, () => rest('GET', '/users?search=wi&briefRepresentation=true'))).toBe(1);
    expect(await countStatements(server, () => rest('GET', '/users?search=wild&briefRepresentation=true'))).toBe(
      searching,
    );
    expect(await countStatements(server, () => rest('GET', '/users/count?search=wild'))).toBe(searching);
  });

  it('shows nobody to a caller who may only look for users', async () => {
    expect((await rest('GET', '/users', undefined, {}, searcher)).body).toEqual([]);
    expect((await rest('GET', '/users/count', undefined, {}, searcher)).body).toBe(0);
  });
});

describe('refusals over REST', () => {
  it('lets viewers read and nothing else', async () => {
    const id = await create({ username: 'seen' });
    const as = (method: string, path: string, body?: unknown) => rest(method, path, body, {}, viewer);
    expect((await as('GET', `/users/${id}`)).body.access).toEqual({
      manageGroupMembership: false,
      view: true,
      mapRoles: false,
      impersonate: false,
      manage: false,
    });
    expect((await as('PUT', `/users/${id}`, {})).status).toBe(403);
    expect((await as('DELETE', `/users/${id}`)).status).toBe(403);
    expect((await as('GET', `/users/${id}/credentials`)).status).toBe(403);
    expect((await as('PUT', `/users/${id}/reset-password`, { value: 'secret-9' })).status).toBe(403);
    expect((await as('PUT', `/users/${id}/groups/unknown`)).status).toBe(403);
    expect((await rest('GET', '/users/unknown', undefined, {}, searcher)).status).toBe(404);
    expect((await rest('GET', `/users/${id}`, undefined, {}, searcher)).status).toBe(403);
  });

  it('does not hand out the users of a role with the role', async () => {
    const id = await create({ username: 'holder' });
    await rest('POST', '/roles', { name: 'held' });
    const { body: role } = await rest('GET', '/roles/held');
    await rest('POST', `/users/${id}/role-mappings/realm`, [role]);
    expect((await rest('GET', '/roles/held/users')).body).toHaveLength(1);
    expect((await rest('GET', '/roles/held/users', undefined, {}, viewer)).status).toBe(403);
  });
});
