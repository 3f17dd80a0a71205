import { beforeAll, describe, expect, it } from 'vitest';
import { type Subscription, subscribe } from '../../events/sse.js';
import { administrator, type Caller, userOf } from '../../support/fixture.js';
import { startServer, type TestServer } from '../../support/server.js';

// Whatever IDs callers choose, and whatever becomes of an apply or of their permissions: a subscription tells of the applies of its realm alone.
const within = { timeout: 20_000, interval: 20 };
let server: TestServer;
let admin: Caller;

const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  // who creates a realm chooses its ID, as who applies a file chooses that of the progress
  for (const id of ['acme', 'acme:deploy']) {
    const realm = id.replace(':', '-');
    const boss = {
      ...{ username: 'boss', enabled: true, credentials: [{ type: 'password', value: 'pw' }] },
      clientRoles: { 'realm-management': ['realm-admin'] },
    };
    expect((await admin.send('POST', '/', { id, realm, enabled: true, users: [boss] })).status).toBe(201);
    ids[realm] = (await admin.send('GET', `/${realm}`)).body.id;
  }
});

const rival = 'acme-deploy';
const node = (realm: string): string => btoa(`Realm:${ids[realm]}`);
const query = `subscription ($realm: ID!, $progressId: String!) {
  it: realmApplyProgress(realm: $realm, progressId: $progressId) { status done }
}`;
const follow = (caller: Caller, realm: string, progressId: string) =>
  subscribe(server, caller.token, query, { realm: node(realm), progressId });
const statusesOf = ({ messages }: Subscription): string[] =>
  messages.flatMap(({ data }) => (data?.it ? [(data.it as unknown as { status: string }).status] : []));
const begun = (seen: Subscription) => expect.poll(() => statusesOf(seen), within).toEqual(['WAITING']);
const ended = async (seen: Subscription): Promise<string[]> => {
  await expect.poll(() => seen.ended(), within).toBe(true);
  return statusesOf(seen);
};
const roleOf = (name: string) => ({ desired: { roles: { realm: [{ name }] } }, modes: { roles: 'KEEP' } });
const apply = (realm: string, name: string, progressId: string) =>
  admin.send('POST', `/admin/realms/${realm}/apply`, { ...roleOf(name), progressId });

describe('the progress of an apply', () => {
  it('of one realm is not that of another one whose ID makes the same text', async () => {
    const seen = await follow(await userOf(server, rival, 'boss', 'pw'), rival, '1');
    await begun(seen);
    expect((await apply('acme', 'first', 'deploy:1')).status).toBe(200);
    expect((await apply(rival, 'first', 'another')).status).toBe(200);
    // what comes first is what was sent first
    expect(await ended(await follow(admin, rival, 'another'))).toEqual(['DONE']);
    expect(statusesOf(seen)).toEqual(['WAITING']);
    seen.close();
  });

  it('is not told to administrators of other realms', async () => {
    const boss = await userOf(server, rival, 'boss', 'pw');
    expect((await apply('acme', 'told', 'told')).status).toBe(200);
    expect(await ended(await follow(boss, 'acme', 'told'))).toEqual([]);
  });

  it('ends with the permissions of who follows it', async () => {
    const boss = await userOf(server, rival, 'boss', 'pw');
    const seen = await follow(boss, rival, 'late');
    await begun(seen);
    const [user] = (await admin.send('GET', `/${rival}/users?username=boss`)).body;
    expect((await admin.send('PUT', `/${rival}/users/${user.id}`, { enabled: false })).status).toBe(204);
    expect(await ended(seen)).toEqual(['WAITING']);
    expect(seen.messages.at(-1)?.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    expect((await admin.send('PUT', `/${rival}/users/${user.id}`, { enabled: true })).status).toBe(204);
  });

  it('is that of the later one of two with the same ID', async () => {
    const seen = await follow(admin, 'acme', 'twice');
    await begun(seen);
    const unknown = {
      desired: { groups: [{ name: 'g', realmRoles: ['nobody-has-this'] }] },
      modes: { groups: 'KEEP' },
    };
    const answers = await Promise.all([
      admin.send('POST', '/admin/realms/acme/apply', { ...unknown, progressId: 'twice' }),
      apply('acme', 'twice', 'twice'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    expect(['DONE', 'FAILED']).toContain((await ended(seen)).at(-1));
    const after = (await ended(await follow(admin, 'acme', 'twice'))).at(-1);
    expect(['DONE', 'FAILED']).toContain(after);
  });

  it('fails with another mutation of the same transaction', async () => {
    const seen = await follow(admin, 'acme', 'together');
    await begun(seen);
    const mutation = `mutation ($apply: RealmApplyInput!, $role: RoleCreateInput!) @atomic {
      one: realmApply(input: $apply) { userErrors { code } }
      two: roleCreate(input: $role) { userErrors { code } }
    }`;
    const input = {
      id: node('acme'),
      desired: { json: { roles: { realm: [{ name: 'together' }] } } },
      ...{ modes: { roles: 'KEEP' }, progressId: 'together' },
    };
    const { data } = await admin.graphql<Record<string, { userErrors: { code: string }[] }>>(mutation, {
      apply: input,
      role: { container: node('acme'), name: 'offline_access' },
    });
    expect(data.one?.userErrors[0]?.code).toBe('ABORTED');
    expect((await ended(seen)).at(-1)).toBe('FAILED');
    expect((await admin.send('GET', '/acme/roles/together')).status).toBe(404);
  });

  it.each([
    ['with NUL', 'a\u0000b'],
    ['that is too long', 'x'.repeat(256)],
  ])('has no ID %s', async (_what, progressId) => {
    const answer = await apply('acme', 'odd', progressId);
    expect([answer.status, answer.body.errorMessage]).toEqual([400, expect.stringContaining('progressId')]);
    const input = { id: node('acme'), desired: { json: {} }, progressId };
    const { data } = await admin.graphql<{ it: { userErrors: { path: string[] }[] } }>(
      'mutation ($input: RealmApplyInput!) { it: realmApply(input: $input) { userErrors { path } } }',
      { input },
    );
    expect(data.it.userErrors[0]?.path.at(-1)).toBe('progressId');
    const seen = await follow(admin, 'acme', progressId);
    expect(await ended(seen)).toEqual([]);
    expect(seen.messages[0]?.errors?.[0]?.message).toContain('progressId');
  });
});
