import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from './support/fixture.js';
import { admin as adminLogin, startServer, type TestServer } from './support/server.js';

const readme = readFileSync('README.md', 'utf8');

describe('the five minutes of the README', () => {
  let server: TestServer;
  let admin: Caller;

  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
    const acme = readFileSync('examples/acme-realm.json', 'utf8');
    const answer = await admin.send('POST', '/admin/realms', acme, { 'content-type': 'application/json' });
    expect(answer.status).toBe(201);
  });

  it('import a realm whose users log in with the passwords that they had', async () => {
    const { body } = await admin.send('GET', '/acme/users/count');
    expect(body).toBe(1000);
    expect(await login(server, 'acme', 'user-000003', 'pass-3')).toMatch(/^eyJ/);
  });

  it('answer the GraphQL query', async () => {
    const query = /```graphql\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const { data, errors } = await admin.graphql<{ realm: { users: { totalCount: number; edges: unknown[] } } }>(query);
    expect(errors).toBeUndefined();
    expect(data.realm.users).toMatchObject({ totalCount: 10, edges: { length: 5 } });
  });

  it('let the official client work', async () => {
    const { stdout } = await promisify(execFile)('node', ['examples/admin-client.mjs', `${server.url}/auth`], {
      env: { ...process.env, ADMIN_PASSWORD: adminLogin.password },
    });
    expect(stdout).toContain('vera: Vera Visit, badge V-1');
    expect(stdout).toContain('guide');
    expect(stdout).toContain('gone again');
  });

  it('let the client in TypeScript work', async () => {
    const { stdout } = await promisify(execFile)('node', ['examples/graphql-client.mjs', server.url], {
      env: { ...process.env, ADMIN_PASSWORD: adminLogin.password },
    });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^10 users: user-000010/),
        'would change: email, firstName',
        'changed twice from the same version: STALE',
        'groups: /visits, /visits/visitors',
        expect.stringMatching(/^LIMIT at realm\.users: /),
        'CREATE users/…',
        'DELETE groups/…',
      ]),
    );
  });

  it('let the program in docs/graphql.md work', async () => {
    const program = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/graphql.md', 'utf8'))?.[1] ?? '';
    const here = program
      .replace('http://localhost:8080', server.url)
      .replace("'./client", `'${new URL('../client', import.meta.url)}`);
    const { stdout } = await promisify(execFile)('node', ['--input-type=module', '--eval', here], {
      env: { ...process.env, TOKEN: admin.token },
    });
    expect(stdout).toBe("[ 'admin' ]\n");
  });
});
