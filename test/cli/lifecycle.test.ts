import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

const file = join(temporaryFolder(), 'realm.yaml');
const rules = (text: string) => `realm: kept
displayName: Market
$realmgate:
  lifecycle:
    CLIENT/shop: { preventDestroy: true, ignoreChanges: [redirectUris] }
    REALM/kept: { ignoreChanges: [displayName] }
${text}`;
let run: (...args: string[]) => ReturnType<typeof realmgate>;

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const clients = [{ clientId: 'shop', publicClient: true, redirectUris: ['https://shop.example/*'] }];
  await startWithRealm({ realm: 'kept', displayName: 'Fair', enabled: true, clients }, { databaseUrl });
  run = (...args) => realmgate([...args, file], { DATABASE_URL: databaseUrl });
});

it('a plan that deletes a protected object is refused with the line of its rule', async () => {
  writeFileSync(file, rules('clients: []\n'));
  expect(await run('validate')).toMatchObject({ status: 0, output: '1 file: valid\n' });
  const { status, errors } = await run('plan');
  expect([status, errors]).toEqual([
    1,
    expect.stringMatching(
      /realm\.yaml:5:20: `\$realmgate\.lifecycle\[CLIENT\/shop\]\.preventDestroy`: The plan would delete CLIENT\/shop,/,
    ),
  ]);
});

it('ignored fields are in no plan, also for another realm', async () => {
  writeFileSync(file, rules('clients: [{ clientId: shop, redirectUris: [] }]\n'));
  expect(await run('plan')).toMatchObject({ status: 0, errors: '' });
  writeFileSync(file, rules('').replaceAll('kept', 'other'));
  expect(await run('plan', '--realm', 'kept')).toMatchObject({ status: 0, errors: '' });
});

it('rules that are none are faults', async () => {
  writeFileSync(
    file,
    rules('').replace(
      'CLIENT/shop: { preventDestroy: true',
      'shop: {}\n    CLIENT/shop: { prevent: 1, preventDestroy: yes',
    ),
  );
  const { status, errors } = await run('validate');
  expect(status).toBe(1);
  for (const fault of [
    'shop` must be called KIND/NAME',
    'prevent` is unknown',
    'preventDestroy` must be true or false',
  ])
    expect(errors).toContain(fault);
  expect(await run('plan')).toMatchObject({
    status: 1,
    errors: expect.stringContaining('has the name "shop", which must be KIND/NAME'),
  });
});
