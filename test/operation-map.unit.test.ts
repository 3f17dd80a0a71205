import { describe, expect, it } from 'vitest';
import { fieldsThatAreNotThere, operationMap } from '../src/cli/operation-map.js';
import { graphqlSchema } from '../src/graph/server.js';
import { routes } from '../src/rest/routes.js';
import { documentedOperations } from './contract/documents.js';

const lines = operationMap(routes);

/** Operations of a feature that the reference has switched off as well. */
const without = new Set(['userProfile.get', 'userProfile.check', 'userProfile.metadata']);

describe('the map of operations', () => {
  it('names a field or mutation of GraphQL beside every operation of REST', () => {
    const holes = lines.filter(({ graphql, operation }) => graphql.length === 0 && !without.has(operation));
    expect(
      holes.map(({ rest, operation }) => `${rest} (${operation})`),
      'Declare a `mutation()` for a write; name the fields that show a read in src/graph/core/reads.ts',
    ).toEqual([]);
  });

  it('names only what the schema has', () => {
    expect(fieldsThatAreNotThere(graphqlSchema(), lines)).toEqual([]);
  });

  it('says what each write records', () => {
    const writing = new Set(
      routes.filter(({ operation }) => operation.kind === 'write').map(({ operation }) => operation.name),
    );
    const silent = lines.filter(({ event, operation }) => event === '' && writing.has(operation));
    expect(silent).toEqual([]);
    expect(lines.find(({ rest }) => rest === 'DELETE /{realm}/users/{id}')?.event).toMatch(/^DELETE USER /);
  });

  it('has every documented operation', () => {
    const known = new Set(lines.map(({ rest }) => rest));
    const missing = documentedOperations
      .map(({ method, path }) => `${method} ${path}`)
      .filter((rest) => !known.has(rest));
    // the preflight is answered ahead of the table
    expect(missing).toEqual(['OPTIONS /{any}']);
  });
});
