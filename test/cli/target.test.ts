import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

const file = join(temporaryFolder(), 'realm.yaml');
let run: (...args: string[]) => ReturnType<typeof realmgate>;

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  await startWithRealm({ realm: 'targeted', enabled: true }, { databaseUrl });
  writeFileSync(
    file,
    'realm: targeted\nclients: [{ clientId: shop, publicClient: true }]\nroles: { realm: [{ name: buyer }] }\ngroups: [{ name: staff }]\n',
  );
  run = (...args) => realmgate([...args, file], { DATABASE_URL: databaseUrl });
});

it('a plan and an apply of targets have their changes alone, and say that they are partial', async () => {
  const targets = ['--target', 'client/shop', '--target', 'GROUP/staff'];
  const partial = 'Partial plan, of the targets and what they need: 1 other object would change, and is left out.';
  const planned = await run('plan', ...targets);
  expect(planned).toMatchObject({ status: 2, errors: '' });
  expect(planned.output.match(/^[-+~].*/gm)).toEqual(['+ CLIENT shop', '+ GROUP /staff']);
  expect(planned.output).toContain(`${partial}\n2 to create, 0 to update, 0 to delete.\n`);
  expect((await run('plan', '--markdown', ...targets)).output).toContain(partial);
  expect(JSON.parse((await run('plan', '--json', ...targets)).output)).toMatchObject({ omitted: 1 });
  expect(await run('apply', '--yes', ...targets)).toMatchObject({
    status: 0,
    output: expect.stringContaining('Applied: 2 created, 0 updated, 0 deleted.'),
  });
  expect((await run('plan')).output.match(/^[-+~].*/gm)).toEqual(['+ REALM_ROLE buyer']);
});

it('a target that is no object is refused', async () => {
  expect(await run('plan', '--target', 'shop')).toMatchObject({
    status: 1,
    errors: expect.stringContaining('It must be KIND/NAME, such as CLIENT/shop, with a KIND of REALM, AUTH_FLOW'),
  });
  expect(await run('plan', '--target', 'CLIENT/shoop')).toMatchObject({
    status: 1,
    errors: expect.stringContaining('Neither the realm nor the file has the object CLIENT/shoop'),
  });
});
