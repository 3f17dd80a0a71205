import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';

// Every GraphQL document of the project fits the schema, whether a test runs it or not. Files of a folder share their fragments.
const files = execFileSync('git', ['ls-files', '*.graphql'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('schema/'));

describe('the GraphQL documents', () => {
  it.each([...new Set(files.map((file) => dirname(file)))])('in %s fit the schema', (folder) => {
    const documents = files.filter((file) => dirname(file) === folder).map((file) => readFileSync(file, 'utf8'));
    const faults = validate(graphqlSchema(), parse(documents.join('\n')));
    expect(faults.map(({ message }) => message)).toEqual([]);
  });
});
