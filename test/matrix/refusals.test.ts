import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { operations } from '../../src/services/core/operation.js';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { addressOf, type Parameters, parametersOf, realmWithEverything, titleOf } from './addresses.js';

// Every operation of the table, as nobody, as a user without any role, in a realm that is not there, with a bad body.
let admin: Caller;
let nobody: Caller;
let plain: Caller;
let params: Parameters;

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  nobody = callerWith(server, undefined);
  await admin.send('POST', '/', realmWithEverything('matrix'));
  plain = await userOf(server, 'matrix', 'plain', 'secret-1');
  params = await parametersOf(admin, 'matrix');
});

const address = (route: Route, changed: Parameters = {}) => addressOf(route, { ...params, ...changed });

const table = routes.map((route) => [titleOf(route), route] as const);
const takesJson = ({ takes }: Route) => takes === 'json';
const body = (route: Route) => (takesJson(route) ? {} : undefined);

describe('every operation', () => {
  it.each(table)('%s is refused without a token: 401', async (_title, route) => {
    const answer = await nobody.send(route.method, address(route), body(route));
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(route.console ? '' : { error: 'HTTP 401 Unauthorized' });
  });

  // whoami is for everybody
  it.each(table.filter(([, route]) => !route.console))(
    '%s is refused to a user without roles: 403',
    async (_title, route) => {
      const answer = await plain.send(route.method, address(route), body(route));
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ error: 'unknown_error' });
    },
  );

  it.each(table.filter(([, { path }]) => path.startsWith('/{realm}')))(
    '%s in an unknown realm: 404',
    async (_title, route) => {
      const answer = await admin.send(route.method, address(route, { realm: 'no-such-realm' }), body(route));
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'Realm not found.' });
    },
  );

  it.each(table.filter(([, route]) => takesJson(route)))('%s with malformed JSON: 400', async (_title, route) => {
    const answer = await admin.send(route.method, address(route), '{"a":', { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unknown_error' } });
  });

  it('is in the registry under its name, and reads have no audit record', () => {
    for (const { operation } of routes) expect(operations().get(operation.name)).toBe(operation);
  });
});
