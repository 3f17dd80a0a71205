import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../support/fixture.js';
import { startWithRealm } from '../../support/fixture.js';
import { slowClock, type TestServer } from '../../support/server.js';
import { measureStatements } from '../../support/statements.js';

// Plans and applies over REST and GraphQL.
const realm = 'surfaces';
let server: TestServer;
let admin: Caller;
let id: string;

const subGroups = [{ name: 'team' }];
const file = {
  roles: { realm: [{ name: 'buyer' }, { name: 'seller', description: 'Sells' }] },
  groups: [
    { name: 'staff', subGroups },
    { name: 'guests', subGroups },
  ],
  clients: [{ clientId: 'shop', secret: 'shop-secret', serviceAccountsEnabled: true }],
};

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    { realm, enabled: true, adminEventsEnabled: true, ...file },
    // a plan may be larger than other requests
    { bodyLimit: 100_000 },
    slowClock,
  ));
  id = btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`);
});

interface Shown {
  digest: string;
  summary: Record<string, number>;
  warnings: string[];
  changes: Record<'action' | 'kind' | 'key' | 'id' | 'path' | 'reason', string>[];
}

const sent = async (
  what: 'plan' | 'apply',
  desired: object,
  more: object = {},
  headers: Record<string, string> = {},
) => {
  const answer = await admin.send('POST', `/admin/realms/${realm}/${what}`, { desired, ...more }, headers);
  return { ...answer, body: answer.body as Shown };
};
const kept = { modes: { roles: 'KEEP', groups: 'KEEP', clients: 'KEEP', clientRoles: 'KEEP' } };
const lines = ({ changes }: Shown) =>
  changes.map(({ action, kind, key, reason }) => [action, kind, key, reason].join(' '));

describe('over REST', () => {
  it('a plan says what changes and why, and writes nothing', async () => {
    const events = await server.database.read.adminEvent.count();
    const desired = {
      displayName: 'Shop',
      roles: {
        realm: [
          { name: 'seller', description: 'Sells much' },
          { name: 'auditor', composites: { realm: ['new'] } },
          { name: 'new' },
        ],
      },
      clients: [{ clientId: 'till', serviceAccountsEnabled: true }],
    };
    const { status, body } = await sent('plan', desired, { modes: { clients: 'KEEP' } });
    expect([status, lines(body)]).toEqual([
      200,
      [
        'CREATE CLIENT till NOT_IN_REALM',
        'UPDATE REALM surfaces DIFFERS',
        'DELETE REALM_ROLE buyer NOT_IN_FILE',
        'UPDATE REALM_ROLE seller DIFFERS',
        'CREATE REALM_ROLE auditor NOT_IN_REALM',
        'CREATE REALM_ROLE new NOT_IN_REALM',
        'CREATE USER service-account-till FOLLOWS',
      ],
    ]);
    expect(body.summary).toMatchObject({ create: 4, update: 2, delete: 1 });
    expect(body.changes[0]).not.toHaveProperty('id');
    expect(body.changes[2]?.path).toBe(`roles-by-id/${body.changes[2]?.id}`);
    expect(body.changes[4]).toMatchObject({ dependsOn: [{ kind: 'REALM_ROLE', key: 'new' }] });
    expect(await server.database.read.adminEvent.count()).toBe(events);
    expect((await sent('plan', desired, { modes: { clients: 'KEEP' } })).body).toEqual(body);
  });

  it('what goes with another object says so', async () => {
    const { body } = await sent('plan', { clients: [] });
    expect(lines(body)).toEqual(['DELETE CLIENT shop NOT_IN_FILE', 'DELETE USER service-account-shop FOLLOWS']);
  });

  it('an apply does it, once for an idempotency key, and a dry run does not', async () => {
    const desired = { roles: { realm: [{ name: 'packer' }] } };
    const dry = await sent('apply', desired, kept, { prefer: 'dry-run' });
    expect([dry.status, lines(dry.body)]).toEqual([200, ['CREATE REALM_ROLE packer NOT_IN_REALM']]);
    const key = { 'idempotency-key': 'a packer' };
    const done = await sent(
      'apply',
      desired,
      { ...kept, expectedDigest: dry.body.digest, source: 'git', revision: '1' },
      key,
    );
    expect([done.status, lines(done.body)]).toEqual([200, lines(dry.body)]);
    const role = (await admin.send('GET', `/${realm}/roles/packer`)).body;
    expect(done.body.changes[0]?.id).toBe(role.id);
    const again = await sent(
      'apply',
      desired,
      { ...kept, expectedDigest: dry.body.digest, source: 'git', revision: '1' },
      key,
    );
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(done.body);
    const stale = await sent('apply', desired, { ...kept, expectedDigest: dry.body.digest });
    expect(stale.status).toBe(412);
  });

  it('records each object, and the source of the file', async () => {
    const answer = await sent(
      'apply',
      { roles: { realm: [{ name: 'driver' }] } },
      { ...kept, source: 'repository', revision: 'abc' },
    );
    expect(answer.status).toBe(200);
    const [role, parent] = await server.database.read.adminEvent.findMany({
      where: { operation: 'realm.apply' },
      select: { resourceType: true, operationType: true, representation: true },
      orderBy: [{ position: 'desc' }, { id: 'desc' }],
      take: 2,
    });
    expect([role?.resourceType, parent?.resourceType].sort()).toEqual(['REALM', 'REALM_ROLE']);
  });

  it('refuses to delete more than allowed, and names the field', async () => {
    const answer = await sent('apply', { groups: [] });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ errorMessage: expect.stringContaining('`allowDeletes` is 0') }),
    ]);
  });

  it('takes bodies that are larger than those of other requests', async () => {
    const description = 'x'.repeat(200);
    const many = Array.from({ length: 6000 }, (_, at) => ({ name: `many-${at}`, description }));
    const body = { roles: { realm: many } };
    expect(JSON.stringify(body).length).toBeGreaterThan(server.services.config.bodyLimit);
    const { status, body: planned } = await sent('plan', body, kept);
    expect([status, planned.summary.create]).toEqual([200, 6000]);
  });

  it('keeps a group in its place that is renamed while links are created', async () => {
    const { groups } = (await admin.send('GET', `/${realm}/export`)).body as { groups: { id: string; name: string }[] };
    const renamed = groups.map((group) => ({ ...group, name: group.name === 'guests' ? 'visitors' : group.name }));
    const { status } = await sent(
      'apply',
      { groups: renamed, roles: { realm: [{ name: 'linked', attributes: { of: ['1'] } }] } },
      kept,
    );
    expect(status).toBe(200);
    const after = (await admin.send('GET', `/${realm}/groups?briefRepresentation=false`)).body as {
      path: string;
      subGroups: { path: string }[];
    }[];
    const paths = after.map(({ path, subGroups: below }) => [path, below.map((group) => group.path)]);
    expect(paths).toEqual([
      ['/staff', ['/staff/team']],
      ['/visitors', ['/visitors/team']],
    ]);
  });
});

describe('the statements of a plan', () => {
  it('are as many for many objects as for few', async () => {
    const statements = async (count: number): Promise<number> => {
      const names = Array.from({ length: count }, (_, at) => at);
      const desired = {
        roles: { realm: names.map((at) => ({ name: `r${at}`, attributes: { a: ['1'] } })) },
        groups: names.map((at) => ({ name: `g${at}`, realmRoles: ['r0'] })),
        clients: names.map((at) => ({ clientId: `c${at}`, secret: 's' })),
        users: names.map((at) => ({ username: `u${at}`, groups: ['/g0'] })),
      };
      const { result, statements: taken } = await measureStatements(server, () => sent('plan', desired, kept));
      expect(result.status).toBe(200);
      return taken;
    };
    await statements(1);
    const few = await statements(2);
    expect(await statements(300)).toBe(few);
    const applied = async (from: number, count: number): Promise<number> => {
      const clients = Array.from({ length: count }, (_, at) => ({ clientId: `n${from + at}`, secret: 's' }));
      const { result, statements: taken } = await measureStatements(server, () => sent('apply', { clients }, kept));
      expect(result.status).toBe(200);
      return taken;
    };
    await applied(0, 2);
    const two = await applied(10, 2);
    // so many rows are inserted in batches
    expect(await applied(100, 200)).toBeLessThanOrEqual(two + 1);
  });
});

describe('over GraphQL', () => {
  const planOf = (json: object, args: string, fields: string) =>
    admin.graphql<{
      realm: { plan: Record<string, never> & { changes: { edges: { cursor: string; node: { key: string } }[] } } };
    }>(
      `query ($json: JSON!) {
        realm(name: "${realm}") {
          plan(desired: { json: $json }, modes: { roles: KEEP, clients: KEEP }) {
            digest summary { create update delete unchanged } warnings
            changes${args} { totalCount ${fields} pageInfo { hasNextPage hasPreviousPage } }
          }
        }
      }`,
      { json },
    );
  const nodes =
    'edges { cursor node { action kind key path reason dependsOn { kind key } fields { path before after isSecret } } }';
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `page-${name}`);
  const pages = {
    roles: { realm: names.map((name) => ({ name })) },
    clients: [{ clientId: 'page-client', secret: 'hidden' }],
  };

  it('a plan has the changes of REST in pages and by filters', async () => {
    const whole = await planOf(pages, '(first: 100)', nodes);
    expect(whole.errors).toBeUndefined();
    const { plan } = whole.data.realm;
    const overRest = await sent('plan', pages, { modes: { roles: 'KEEP', clients: 'KEEP' } });
    expect([plan.digest, plan.summary, plan.warnings]).toEqual([
      overRest.body.digest,
      overRest.body.summary,
      overRest.body.warnings,
    ]);
    expect(plan.changes.edges.map(({ node }) => node.key)).toEqual(overRest.body.changes.map(({ key }) => key));
    expect(JSON.stringify(whole.data)).not.toContain('hidden');
    const secret = plan.changes.edges.flatMap(
      ({ node }) => (node as never as { fields: { isSecret: boolean }[] }).fields,
    );
    expect(secret.filter(({ isSecret }) => isSecret)).toEqual([
      { path: ['secret'], before: null, after: '"**********"', isSecret: true },
    ]);
    const ofRoles = 'filter: { kinds: [REALM_ROLE], actions: [CREATE] }';
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 3; page += 1) {
      const { data } = await planOf(pages, `(first: 2, ${ofRoles}${after})`, nodes);
      const { edges } = data.realm.plan.changes;
      seen.push(...edges.map(({ node }) => node.key));
      after = `, after: "${edges.at(-1)?.cursor}"`;
    }
    expect(seen).toEqual(names);
    const last = await planOf(pages, `(last: 2, ${ofRoles})`, nodes);
    expect(last.data.realm.plan.changes).toMatchObject({
      totalCount: 5,
      edges: [{ node: { key: 'page-d' } }, { node: { key: 'page-e' } }],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
    const wrong = await planOf(pages, `(after: "${btoa('["x"]')}")`, nodes);
    expect(wrong.errors?.[0]?.extensions?.code).toBe('BAD_CURSOR');
  });

  it('a plan names the place in the file that is wrong', async () => {
    const { errors } = await planOf({ roles: { realm: 7 } }, '', nodes);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID', field: 'roles.realm' });
  });

  const applied = (input: object, directive = '') =>
    admin.graphql<{ realmApply: Record<string, never> }>(
      `mutation ($input: RealmApplyInput!) ${directive} {
        realmApply(input: $input) {
          isReplayed
          userErrors { code path message }
          realm { name version }
          plan { digest summary { create } changes { edges { node { key path } } } }
          adminEvents { resourceType operationType }
        }
      }`,
      { input: { id, modes: { roles: 'KEEP' }, ...input } },
    );

  it('an apply answers what was changed, and the realm', async () => {
    const desired = { json: { roles: { realm: [{ name: 'over-graphql' }] } } };
    const dry = await applied({ desired }, '@dryRun');
    expect(dry.data.realmApply).toMatchObject({ userErrors: [], plan: { summary: { create: 1 } } });
    expect((await admin.send('GET', `/${realm}/roles/over-graphql`)).status).toBe(404);
    const { digest } = dry.data.realmApply.plan as unknown as { digest: string };
    const input = { desired, expectedDigest: digest, idempotencyKey: 'over graphql' };
    const done = await applied(input);
    expect(done.data.realmApply).toMatchObject({
      isReplayed: false,
      userErrors: [],
      realm: { name: realm },
      plan: { digest, summary: { create: 1 }, changes: { edges: [{ node: { key: 'over-graphql' } }] } },
      adminEvents: [
        { resourceType: 'REALM', operationType: 'ACTION' },
        { resourceType: 'REALM_ROLE', operationType: 'CREATE' },
      ],
    });
    const again = await applied(input);
    expect(again.data.realmApply).toMatchObject({ isReplayed: true, plan: done.data.realmApply.plan });
    const stale = await applied({ desired, expectedDigest: digest });
    expect(stale.data.realmApply).toMatchObject({
      userErrors: [{ code: 'STALE', path: ['expectedDigest'] }],
      plan: null,
    });
  });

  it('an apply names the place in the input that is wrong', async () => {
    const { data } = await applied({ desired: { json: { roles: { realm: [{ name: 'x' }, { name: 'x' }] } } } });
    expect(data.realmApply.userErrors).toEqual([
      expect.objectContaining({ code: 'REPEATED', path: ['desired', 'json', 'roles', 'realm', '1'] }),
    ]);
    const deletes = await applied({ desired: { json: { groups: [] } } });
    expect(deletes.data.realmApply.userErrors).toEqual([
      expect.objectContaining({ code: 'INVALID', path: ['allowDeletes'] }),
    ]);
  });
});
