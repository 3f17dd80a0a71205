import { parse as parseDocument, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { graphqlSchema } from '../../src/graph/server.js';
import { documents } from '../../tools/documents.mjs';
import { type Block, blocksOf } from './blocks.js';

const inAll = (...languages: string[]): Block[] => documents.flatMap((page) => blocksOf(page, ...languages));

describe('the blocks of the documents', () => {
  it.each(inAll('graphql'))('$page:$line fits the schema', ({ text }) => {
    const faults = validate(graphqlSchema(), parseDocument(text));
    expect(faults.map(({ message }) => message)).toEqual([]);
  });

  it.each(inAll('json'))('$page:$line is JSON', ({ text }) => {
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it.each(inAll('yaml', 'yml'))('$page:$line is YAML', ({ text }) => {
    expect(parseYaml(text)).toBeTypeOf('object');
  });

  it('have a language, by which the tests find them', () => {
    const known = ['sh', 'js', 'ts', 'graphql', 'json', 'yaml', 'toml', 'sql', 'text'];
    const others = inAll().filter(({ language }) => !known.includes(language));
    expect(others.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });
});
