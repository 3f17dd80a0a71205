// @both-databases
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { databaseRefusal } from '../../src/services/core/database-refusal.js';
import { operations } from '../../src/services/core/operation.js';
import '../../src/graph/schema.js';
import { startWithRealm } from '../support/fixture.js';

it('a name that a concurrent writer has taken is the fault of the list where many objects are written', async () => {
  const { server } = await startWithRealm({ realm: 'conflicts', roles: { realm: [{ name: 'taken' }] } });
  const role = await server.database.read.role.findFirst({ where: { name: 'taken' } });
  const again = server.database.transaction((tx) =>
    tx.role.createMany({ data: { ...(role as NonNullable<typeof role>), id: randomUUID() } }),
  );
  const error = await again.catch((reason: unknown) => reason);
  const details = (list?: string) => databaseRefusal(error, () => 'Taken', list);
  expect(details('roles')).toMatchObject({ kind: 'conflict', details: { field: 'roles', code: 'NAME_TAKEN' } });
  expect(details()).toMatchObject({ kind: 'conflict', details: { field: 'name', code: 'NAME_TAKEN' } });
});

it('every write of many objects that have names states its list', () => {
  const many = [...operations().values()].filter(
    (one) => one.kind === 'write' && /\.(create|update|move)Many$/.test(one.name) && one.conflict,
  );
  const stated = many.filter((one) => one.kind === 'write' && one.items !== undefined).map(({ name }) => name);
  // its refusal has the body of the contract, and no field
  expect(many.map(({ name }) => name).filter((name) => !stated.includes(name))).toEqual(['protocolMapper.createMany']);
  expect(stated.length).toBeGreaterThan(5);
});
