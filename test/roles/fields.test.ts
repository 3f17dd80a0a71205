// @both-databases
import { type GraphQLInputObjectType, type GraphQLObjectType, getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { openApiText } from '../../src/rest/openapi.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// A field of the role representation is stored by every way to write a role, and both surfaces have it.
const { properties } = JSON.parse(await openApiText()).components.schemas.RoleRepresentation as {
  properties: Record<string, { type?: string; deprecated?: boolean }>;
};
/** Fields that follow from other data. */
const derived = new Set(['id', 'composite', 'clientRole', 'containerId', 'composites']);
const stored = Object.keys(properties).filter((name) => !derived.has(name) && !properties[name]?.deprecated);

/** A value of the type of the field, or another one if it is `changed`. Throws for a type without an example. */
function example(field: string, changed = false): unknown {
  const { type } = properties[field] ?? {};
  if (type === 'string') return `${field}-${changed ? 'changed' : 'value'}`;
  if (type === 'boolean') return !changed;
  if (type === 'integer') return changed ? 8 : 7;
  if (type === 'object') return { floor: changed ? ['3'] : ['1', '2'] };
  throw new Error(`Add an example for the type of ${field} to test/roles/fields.test.ts`);
}
const role = Object.fromEntries(stored.map((field) => [field, example(field)]));
const changedRole = Object.fromEntries(stored.map((field) => [field, example(field, true)]));

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
});

const created = async (realm: object) => expect((await admin.send('POST', '/', realm)).status).toBe(201);
const read = async (realm: string, name: string) => (await admin.send('GET', `/${realm}/roles/${name}`)).body;

describe('every stored field of a role', () => {
  it('is kept by creation, replacement, patch and export', async () => {
    await created({ realm: 'fields' });
    expect((await admin.send('POST', '/fields/roles', role)).status).toBe(201);
    const first = await read('fields', 'name-value');
    expect(first).toMatchObject(role);
    expect((await admin.send('PUT', '/fields/roles/name-value', changedRole)).status).toBe(204);
    expect(await read('fields', 'name-changed')).toEqual({ ...first, ...changedRole });
    const patched = await admin.send('PATCH', '/fields/roles/name-changed', JSON.stringify(role), {
      'content-type': 'application/merge-patch+json',
    });
    expect(patched.status).toBe(204);
    expect(await read('fields', 'name-value')).toEqual(first);
    const { roles } = (await admin.send('GET', '/fields/export')).body;
    expect(roles.realm).toContainEqual(expect.objectContaining(role));
  });

  it('is kept by the import of a realm and of single roles', async () => {
    await created({ realm: 'imported', roles: { realm: [role] } });
    expect(await read('imported', 'name-value')).toMatchObject(role);
    const single = { ...role, name: 'single' };
    const answer = await admin.send('POST', '/imported/partialImport', { roles: { realm: [single] } });
    expect([answer.status, answer.body.added]).toEqual([200, 1]);
    expect(await read('imported', 'single')).toMatchObject(single);
  });

  const schema = graphqlSchema();
  const inputOf = (mutation: string) =>
    getNamedType(schema.getMutationType()?.getFields()[mutation]?.args[0]?.type) as GraphQLInputObjectType;

  it('is a field of the type and of the inputs in GraphQL', () => {
    const types = [schema.getType('Role') as GraphQLObjectType, inputOf('roleCreate'), inputOf('roleUpdate')];
    for (const type of types) {
      const names = Object.keys(type.getFields());
      const missing = stored.filter((field) => !names.includes(field));
      expect([type.name, missing], 'Add the field in src/graph/roles').toEqual([type.name, []]);
    }
  });
});
