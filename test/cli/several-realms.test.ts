import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

const folder = join(temporaryFolder(), 'realms');
const file = (name: string) => join(folder, name, 'realm.yaml');
const write = (name: string, text: string) => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(file(name), text);
};
const both = () => {
  write('one', 'realm: one\nclients: [{ clientId: shop, publicClient: true }]\n');
  write('two', 'realm: two\nroles: { realm: [{ name: buyer }] }\n');
};
let admin: Caller;
let run: (...args: string[]) => ReturnType<typeof realmgate>;

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  ({ admin } = await startWithRealm({ realm: 'one', enabled: true }, { databaseUrl }));
  expect((await admin.send('POST', '/', { realm: 'two', enabled: true })).status).toBe(201);
  run = (...args) => realmgate(args, { DATABASE_URL: databaseUrl });
});

it('plans of several realms have one digest, which applies them', async () => {
  both();
  expect(await run('validate', folder)).toMatchObject({ status: 0, output: '2 files: valid\n' });
  const planned = await run('plan', folder);
  expect(planned).toMatchObject({ status: 2, errors: '' });
  expect(planned.output).toMatch(
    /^Realm one\n\+ CLIENT shop\n.*Realm two\n\+ REALM_ROLE buyer\n.*\n2 realms: 2 to create, 0 to update, 0 to delete\.\ndigest \w+\n$/s,
  );
  expect((await run('plan', file('one'), file('two'))).output).toBe(planned.output);
  const digest = /^digest (\w+)$/m.exec(planned.output)?.[1] ?? '';
  expect((await run('plan', '--markdown', folder)).output).toContain(`digest \`${digest}\``);
  expect(JSON.parse((await run('plan', '--json', folder)).output)).toMatchObject({
    digest,
    summary: { create: 2 },
    realms: [{ realm: 'one', changes: [{ key: 'shop' }] }, { realm: 'two' }],
  });

  expect(await run('apply', folder, '--digest', 'another')).toMatchObject({
    status: 1,
    errors: expect.stringContaining('review the new plan'),
  });
  expect(await run('apply', folder, '--digest', digest)).toMatchObject({
    status: 0,
    errors: '',
    output: expect.stringContaining(
      'Realm one: Applied: 1 created, 0 updated, 0 deleted.\nRealm two: Applied: 1 created, 0 updated, 0 deleted.\n',
    ),
  });
  expect(await run('plan', folder)).toMatchObject({ status: 0 });
});

it('a realm that cannot be planned keeps the others from being changed', async () => {
  write('one', 'realm: one\ndisplayName: Changed\n');
  write('two', 'realm: two\ngroups: [{ name: staff, realmRoles: [unknown] }]\n');
  write('three', 'realm: three\nenabled: true\n');
  const applied = await run('apply', folder, '--yes');
  expect(applied).toMatchObject({ status: 1, errors: expect.stringContaining('No realm was changed.') });
  expect(applied.errors).toMatch(/two: .*two.realm\.yaml:2:.*Role "unknown" not found/);
  expect(applied.errors).toContain('three: The realm "three" was not found');
  expect((await admin.send('GET', '/one')).body.displayName).toBeUndefined();
});

it('all faults of all files are stated', async () => {
  write('one', `realm: one\nattributes: { a: "$\{env:NONE}" }\n`);
  write('two', 'realm: two\nattributes: [\n');
  rmSync(join(folder, 'three'), { recursive: true });
  const { status, output, errors } = await run('apply', folder, '--yes');
  expect([status, output]).toEqual([1, '']);
  expect(errors).toContain('variable NONE is not set');
  expect(errors).toMatch(/two.realm\.yaml:\d+:\d+: YAML/);
});

it('a realm that cannot be changed does not keep the others from it, and what was applied is stated', async () => {
  // only an apply finds out that nobody could administer the service any more
  write('a', 'realm: master\nusers: [{ username: admin, realmRoles: [] }]\n');
  write('one', 'realm: one\ndisplayName: First\n');
  write('two', 'realm: two\ndisplayName: Second\n');
  const { status, output, errors } = await run('apply', folder, '--yes');
  expect([status, errors]).toEqual([1, expect.stringMatching(/^master: .*administers the master realm\n$/)]);
  expect(output).toContain('Realm master: not changed.\nRealm one: Applied: 0 created, 1 updated, 0 deleted.\n');
  expect((await admin.send('GET', '/two')).body.displayName).toBe('Second');
  rmSync(join(folder, 'a'), { recursive: true });
});

it('options of one realm, and files without a realm, are refused', async () => {
  both();
  for (const option of [
    ['--realm', 'one'],
    ['--target', 'CLIENT/shop'],
    ['--overlay', file('one')],
  ])
    expect(await run('plan', folder, ...option)).toMatchObject({
      status: 1,
      errors: expect.stringContaining(`${option[0]} is about one realm`),
    });
  write('three', 'displayName: Third\n');
  expect(await run('plan', folder)).toMatchObject({ status: 1, errors: expect.stringContaining('must name a realm') });
  write('three', 'realm: one\n');
  expect(await run('plan', folder)).toMatchObject({
    status: 1,
    errors: expect.stringContaining('in one file or folder'),
  });
});
