import { beforeAll, describe, expect, it } from 'vitest';
import { newerFields } from '../../src/services/core/newer-fields.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

const realm = 'fields';
let admin: Caller;

const send = (method: string, path: string, body?: unknown) => admin.send(method, `/${realm}${path}`, body);

beforeAll(async () => {
  admin = await administrator(await startServer());
  expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
});

describe('fields of newer versions that mean nothing here', () => {
  it('are ignored and named in the answer', async () => {
    const client = await send('POST', '/clients', { clientId: 'app', type: 'sla', name: 'App' });
    expect(client.status).toBe(201);
    expect(client.headers.get('x-ignored-fields')).toBe('1: type');
    const [made] = (await send('GET', '/clients?clientId=app')).body;
    expect(made.name).toBe('App');
    expect(made).not.toHaveProperty('type');

    const settings = { displayName: 'Fields', organizationsEnabled: true, bruteForceStrategy: 'LINEAR' };
    const changed = await send('PUT', '', settings);
    expect(changed.status).toBe(204);
    expect(changed.headers.get('x-ignored-fields')).toBe('2: organizationsEnabled, bruteForceStrategy');
    expect((await send('GET', '')).body.displayName).toBe('Fields');
  });

  it('are ignored in objects within others', async () => {
    const credentials = [{ type: 'password', value: 'secret-1', federationLink: 'none' }];
    const { status, headers } = await send('POST', '/users', { username: 'ute', credentials });
    expect(status).toBe(201);
    expect(headers.get('x-ignored-fields')).toBe('1: credentials.0.federationLink');
  });

  it('do not hide a field that no version has', async () => {
    const { status, body } = await send('POST', '/groups', { name: 'moss', description: 'green', colour: 'green' });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('colour');
    expect((await send('GET', '/groups')).body).toEqual([]);
    // nor does the field of one representation count in another
    expect((await send('POST', '/roles', { name: 'clerk', organizationId: 'x' })).status).toBe(400);
  });
});

it('a body with values of other types is refused with the text that tools know, and the field', async () => {
  const role = { name: 'clerk' };
  expect((await send('POST', '/roles', role)).status).toBe(201);
  const { status, body } = await send('POST', '/roles/clerk/composites', ['auditor']);
  expect([status, Object.entries(body)[0]]).toEqual([400, ['error', 'unknown_error']]);
  expect(body.errorMessage).toContain('expected object');
  const flag = await send('PUT', '', { enabled: 'perhaps' });
  expect(flag).toMatchObject({ status: 400, body: { error: 'unknown_error' } });
  expect(flag.body.errorMessage).toContain('enabled');
  // a value of the right type that is not allowed is another fault
  const long = await send('POST', '/roles', { name: 'x'.repeat(300) });
  expect(long.status).toBe(400);
  expect(long.body).not.toHaveProperty('error');
});

it('the table names representations of the contract, and no field that they declare', async () => {
  const { schemas } = (await admin.send('GET', '/openapi.json')).body.components;
  for (const [name, fields] of Object.entries(newerFields)) {
    expect(schemas, name).toHaveProperty(name);
    for (const field of fields) expect(Object.keys(schemas[name].properties), name).not.toContain(field);
  }
});
