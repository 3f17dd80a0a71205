import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { addressOf, type Parameters, parametersOf, realmWithEverything, titleOf } from '../matrix/addresses.js';
import { type Answer, type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { may, realmAdmin, roleNames, singleRoleUsers } from './rules.js';

// Every operation of the table as an administrator with one role: refused, or told what the rule says.
let boss: Caller;
let stranger: Caller;
let params: Parameters;
let elsewhere: Parameters;
const callers = new Map<string, Caller>();

beforeAll(async () => {
  const { server, admin } = await startWithRealm(
    realmWithEverything('one', { users: [realmAdmin, ...singleRoleUsers] }),
  );
  await admin.send('POST', '/', realmWithEverything('other', { users: [realmAdmin] }));
  for (const role of roleNames) callers.set(role, await userOf(server, 'one', role, 'pw'));
  boss = await userOf(server, 'one', 'boss', 'pw');
  stranger = await userOf(server, 'other', 'boss', 'pw');
  params = await parametersOf(admin, 'one');
  elsewhere = await parametersOf(admin, 'other');
});

const takesSeveral = new Set([
  'realm.exportWhole',
  'realm.plan',
  'realm.apply',
  'realm.revertPlan',
  'realm.revert',
  'realm.unmanage',
]);

/** The rule of an operation whose permission depends on what it works on. */
function ruleOf({ operation, path, method }: Route): string {
  // takes several roles together
  // none of these administrators has all the roles that these take
  if (takesSeveral.has(operation.name)) return 'create:realm';
  if (operation.name === 'server.info') return 'any:admin';
  if (typeof operation.allow === 'string') return operation.allow;
  const verb = method === 'GET' ? 'view' : 'manage';
  const ofClient = path.includes('/clients/{id}');
  if (operation.name === 'role.list') return ofClient ? 'list:client-roles' : 'query:realm';
  if (path.includes('/identity-provider/')) return `${verb}:identity-providers`;
  if (path.startsWith('/{realm}/users/')) return `${verb}:users`;
  if (path.startsWith('/{realm}/groups/')) return `${verb}:groups`;
  return `${verb}:${ofClient ? 'clients' : 'realm'}`;
}

const inRealm = routes.filter(({ path, operation }) => path.startsWith('/{realm}') || operation.name === 'server.info');
const table = inRealm.map((route) => [titleOf(route), route] as const);
// chunks of it are committed one by one, which a dry run cannot take back
const irrevocable = new Set(['realm.delete']);
// all these administrators have a session, and none has all the roles that it takes to end those of the others
const ofEverybody = new Set(['realm.logoutAll']);

const request = (caller: Caller, route: Route, given: Parameters = params): Promise<Answer> =>
  caller.send(route.method, addressOf(route, given), route.takes === 'json' ? {} : undefined, { prefer: 'dry-run' });

describe('every operation as an administrator with one role', () => {
  it.each(table)('%s', async (_title, route) => {
    const allowed = (role: string) => may(role, ruleOf(route)) && !ofEverybody.has(route.operation.name);
    const asked = roleNames.filter((role) => !(irrevocable.has(route.operation.name) && allowed(role)));
    const got = await Promise.all(
      asked.map(async (role) => {
        const { status, body } = await request(callers.get(role) as Caller, route);
        // some failures of mail servers are told with status 500 in the contract
        expect([status, body?.errorId], role).not.toEqual([500, expect.any(String)]);
        expect(status, role).not.toBe(401);
        return [role, status !== 403];
      }),
    );
    const expected = asked.map((role) => [role, allowed(role)]);
    expect(got).toEqual(expected);
  });
});

// What is told depends on the permission besides, and who lacks it gets less.
const less: Record<string, { takes: string; instead: (whole: never) => unknown }> = {
  'user.list': { takes: 'view:users', instead: () => [] },
  'user.count': { takes: 'view:users', instead: () => 0 },
  'role.users': { takes: 'view:users', instead: () => [] },
  'role.groups': { takes: 'view:groups', instead: () => [] },
  'client.list': { takes: 'view:clients', instead: () => [] },
  'clientScope.list': { takes: 'view:clients', instead: () => [] },
  'clientRegistration.policyProviders': {
    takes: 'told:client-scopes',
    instead: (types: { properties: { name: string }[] }[]) =>
      types.map((type) => ({
        ...type,
        properties: type.properties.map((property) =>
          property.name === 'allowed-client-scopes' ? { ...property, options: [] } : property,
        ),
      })),
  },
  'scopeMapping.available': { takes: 'manage:clients', instead: () => [] },
  'realm.get': { takes: 'view:realm', instead: () => ({ realm: 'one' }) },
  'group.hierarchy': { takes: 'view:groups', instead: (groups: { attributes: object }[]) => groups },
};
// these tell about the caller
const personal = new Set(['server.info', 'roleMapping.available', 'session.listOfUser']);

/** Without what says what the caller may do, and without times. */
const plainly = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body ?? null, (name, value) =>
      ['access', 'manage', 'configure', 'lastAccess', 'start'].includes(name) ? undefined : value,
    ),
  );

describe('every read', () => {
  const reads = inRealm.filter(({ method, operation }) => method === 'GET' && !personal.has(operation.name));
  it.each(reads.map((route) => [titleOf(route), route] as const))(
    '%s tells what the rule says',
    async (_title, route) => {
      const whole = plainly((await request(boss, route)).body);
      const read = async (role: string) => {
        const { status, body } = await request(callers.get(role) as Caller, route);
        if (status === 403) return expect(plainly(body), role).not.toEqual(whole);
        const rule = less[route.operation.name];
        const told = rule && !may(role, rule.takes) ? rule.instead(whole as never) : whole;
        expect(plainly(body), role).toEqual(told);
      };
      await Promise.all(roleNames.map(read));
    },
  );
});

describe('an administrator of another realm', () => {
  it.each(table.filter(([, { path }]) => path.startsWith('/{realm}')))('%s is refused', async (_title, route) => {
    const answer = await request(stranger, route);
    expect(answer).toMatchObject({ status: 403, body: { error: 'unknown_error' } });
  });

  it('hears the same of things that are elsewhere as of things that are nowhere', async () => {
    const own = { realm: 'one' };
    for (const route of inRealm.filter(({ path }) => /\{(id|role-id|userId|groupId|client|clientUuid)\}/.test(path))) {
      const unknown = Object.fromEntries(
        Object.entries(elsewhere).map(([name, value]) => [name, /^[0-9a-f-]{36}$/.test(value) ? nowhere : value]),
      );
      const [there, not] = await Promise.all([
        request(boss, route, { ...elsewhere, ...own }),
        request(boss, route, { ...unknown, ...own }),
      ]);
      const text = JSON.stringify(there.body)?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, nowhere);
      expect([titleOf(route), there.status, text]).toEqual([titleOf(route), not.status, JSON.stringify(not.body)]);
    }
  });

  it('does not find the realm in any list', async () => {
    const { body } = await stranger.send('GET', '/admin/realms');
    expect(body.map(({ realm }: { realm: string }) => realm)).toEqual(['other']);
    const whoami = await stranger.send('GET', '/admin/other/console/whoami');
    expect(Object.keys(whoami.body.realm_access)).toEqual(['other']);
  });
});

const nowhere = '00000000-0000-4000-8000-000000000000';
