import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { madeFragments, sourcesOf } from '../../tools/made-fragments.mjs';
import { madePages } from '../../tools/made-pages.mjs';

// Every GraphQL document of the project fits the schema, whether a test runs it or not. Files of a folder share their fragments, and
// those of the folder above. Fragments such as `ReadRealmLogin` and `CanUser` are made of the type, and
// pages such as `RealmUsers` of the sources that import them.
const files = execFileSync('git', ['ls-files', '*.graphql'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('schema/'));

const folders = [...new Set(files.map((file) => dirname(file)))];
const textIn = (folder: string): string =>
  files
    .filter((file) => dirname(file) === folder)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

describe('the GraphQL documents', () => {
  const leaves = folders.filter((folder) => !folders.some((other) => dirname(other) === folder));
  it.each(leaves)('in %s fit the schema', (folder) => {
    const above = textIn(dirname(folder));
    const { kind, definitions: written } = parse(`${above}\n${textIn(folder)}`);
    const isConsole = folder.startsWith('console/');
    const definitions = [...written, ...(isConsole ? madePages(graphqlSchema(), written, folder) : [])];
    const sources = isConsole ? sourcesOf(folder) : '';
    const all = [...definitions, ...madeFragments(graphqlSchema(), definitions, sources)];
    const faults = validate(graphqlSchema(), { kind, definitions: all });
    // not every folder uses each fragment of the one above
    const unused = [...above.matchAll(/^fragment (\w+)/gm)].map(([, name]) => `Fragment "${name}" is never used.`);
    expect(faults.map(({ message }) => message).filter((message) => !unused.includes(message))).toEqual([]);
  });
});
