// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

const type = 'application/merge-patch+json';

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
  await admin.send('POST', '/', { realm: 'patches', enabled: true, adminEventsEnabled: true });
});

const patched = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  admin.send('PATCH', `/patches${path}`, body, { 'content-type': type, ...headers });

describe('PATCH', () => {
  const attributes = { color: ['red'], size: ['1', '2'] };
  const made = async (name: string) => {
    await admin.send('POST', '/patches/roles', { name, description: 'made', attributes });
    return `/roles/${name}`;
  };
  const read = async (path: string) => (await admin.send('GET', `/patches${path}`)).body;

  it('changes what is sent and leaves the rest', async () => {
    const role = await made('clerk');
    expect((await patched(role, { description: 'patched' })).status).toBe(204);
    expect(await read(role)).toMatchObject({ name: 'clerk', description: 'patched', attributes });
  });

  it('merges maps by key, and null removes a key', async () => {
    const role = await made('keys');
    await patched(role, { attributes: { color: null, shape: ['round'] } });
    expect(await read(role)).toMatchObject({ attributes: { size: ['1', '2'], shape: ['round'] }, description: 'made' });
    expect((await read(role)).attributes).not.toHaveProperty('color');
  });

  it('clears a field with null where it can be empty, and refuses it elsewhere', async () => {
    const role = await made('nulls');
    expect((await patched(role, { description: null, attributes: null })).status).toBe(204);
    expect(await read(role)).not.toHaveProperty('description');
    expect((await read(role)).attributes).toEqual({});
    const refused = await patched(role, { name: null });
    expect(refused).toMatchObject({ status: 400, body: { errorMessage: '`name` must not be null' } });
  });

  it('takes no other media type, and says which one', async () => {
    const role = await made('media');
    for (const other of ['application/json', 'application/json-patch+json', 'text/plain']) {
      const answer = await patched(role, '{}', { 'content-type': other });
      expect(answer.status).toBe(415);
      expect(answer.headers.get('accept-patch')).toBe(type);
    }
  });

  it('refuses what is no object, what is malformed, unknown fields and wrong types', async () => {
    const role = await made('bad');
    for (const body of [
      '[]',
      '1',
      'null',
      '"a"',
      '{"a":',
      '{"colour":"red"}',
      '{"name":{"a":1}}',
      '{"attributes":1}',
    ]) {
      expect((await patched(role, body)).status, body).toBe(400);
    }
    expect(await read(role)).toMatchObject({ name: 'bad', description: 'made', attributes });
  });

  it('knows versions, keys of idempotency and dry runs', async () => {
    const role = await made('headers');
    const tag = (await admin.send('GET', `/patches${role}`)).headers.get('etag') ?? '';
    expect((await patched(role, { description: 'dry' }, { prefer: 'dry-run' })).status).toBe(204);
    expect(await read(role)).toMatchObject({ description: 'made' });
    expect((await patched(role, { description: 'one' }, { 'if-match': tag })).status).toBe(204);
    expect((await patched(role, { description: 'two' }, { 'if-match': tag })).status).toBe(412);
    const key = { 'idempotency-key': 'patch-1' };
    expect((await patched(role, { description: 'three' }, key)).status).toBe(204);
    await patched(role, { attributes: { other: ['hand'] } });
    const again = await patched(role, { description: 'three' }, key);
    expect(again.status).toBe(204);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await patched(role, { description: 'four' }, key)).status).toBe(422);
  });

  it('is in the preflight of a page that asks for it, and in no other', async () => {
    const methods = async (method: string) => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': method };
      return (await admin.send('OPTIONS', '/patches/roles', undefined, headers)).headers.get(
        'access-control-allow-methods',
      );
    };
    expect(await methods('PATCH')).toMatch(/PATCH/);
    expect(await methods('PUT')).not.toMatch(/PATCH/);
  });
});
