import { describe, expect, it } from 'vitest';
import { breakingChanges, deprecationsOf } from '../tools/stability.mjs';

const openapi = (properties: object, path = '/roles') => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {
    [path]: {
      get: {
        responses: {
          '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object', properties } } } },
        },
      },
    },
  },
});
const role = { name: { type: 'string' }, id: { type: 'string' } };
const schema = (fields: string) => `type Query { ${fields} }`;
const before = schema('role: String user: String @deprecated(reason: "Use `role`.")');
const released = (deprecations: Record<string, string> = {}) => ({
  version: '1.2.0',
  graphql: before,
  openapi: openapi(role),
  deprecations,
});
const changes = (graphql: string, version: string, deprecations?: Record<string, string>, rest = openapi(role)) =>
  breakingChanges(released(deprecations), { version, graphql, openapi: rest });

describe('the check of stability', () => {
  it('accepts additions', async () => {
    const added = { ...role, description: { type: 'string' } };
    expect(
      await changes(schema('role(first: Int): String user: String group: String'), '1.3.0', {}, openapi(added)),
    ).toEqual([]);
  });

  it('refuses what is removed without notice, and what changes its type', async () => {
    expect(await changes(schema('user: String'), '1.3.0')).toEqual([expect.stringContaining('Query.role')]);
    expect(await changes(schema('role: Int user: String'), '1.3.0')).toEqual([expect.stringContaining('Query.role')]);
    expect(await changes(schema('role(first: Int!): String user: String'), '1.3.0')).toHaveLength(1);
  });

  it('accepts the removal of what was deprecated for two minor releases, or until a major one', async () => {
    const without = schema('role: String');
    expect(await changes(without, '1.3.0', { 'Query.user': '1.2.0' })).toHaveLength(1);
    expect(await changes(without, '1.4.0', { 'Query.user': '1.2.0' })).toEqual([]);
    expect(await changes(without, '2.0.0', { 'Query.user': '1.2.0' })).toEqual([]);
  });

  it('refuses what is removed from the REST contract', async () => {
    expect(await changes(before, '1.3.0', {}, openapi({ name: role.name }))).toEqual([expect.stringContaining('id')]);
    expect(await changes(before, '1.3.0', {}, openapi(role, '/others'))).not.toEqual([]);
    const narrowed = { ...role, id: { type: 'integer' } };
    expect(await changes(before, '1.3.0', {}, openapi(narrowed))).not.toEqual([]);
  });

  it('remembers the release in which something was first deprecated', () => {
    expect(deprecationsOf(before, '1.2.0', {})).toEqual({ 'Query.user': '1.2.0' });
    expect(deprecationsOf(before, '1.3.0', { 'Query.user': '1.2.0', 'Query.gone': '1.0.0' })).toEqual({
      'Query.user': '1.2.0',
    });
  });
});
