import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { exceptions, leaning, phrases, type Rule } from './rules.js';

interface Text {
  at: string;
  text: string;
  /** name of what is described, where it is a description */
  name?: string;
}

const filesBelow = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end) && !file.startsWith('generated'))
    .map((file) => join(folder, file));

function schemaDescriptions(): Text[] {
  const found: Text[] = [];
  visit(parse(readFileSync('schema/schema.graphql', 'utf8')), {
    enter(node, _key, _parent, _path, ancestors) {
      if (!('description' in node) || !node.description || !('name' in node) || !node.name) return;
      const above = ancestors.flatMap((ancestor) =>
        'name' in ancestor && ancestor.name && 'value' in ancestor.name ? [String(ancestor.name.value)] : [],
      );
      const name = node.name.value;
      found.push({ at: [...above, name].join('.'), text: node.description.value, name });
    },
  });
  return found;
}

function openApiDescriptions(): Text[] {
  const found: Text[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if ((key === 'summary' || key === 'description') && typeof part === 'string')
        found.push({ at: `${at}.${key}`, text: part, name: at.split('.').at(-1) ?? '' });
      else walk(part, `${at}.${key}`);
    }
  };
  walk(JSON.parse(readFileSync('schema/openapi.json', 'utf8')), 'openapi');
  return found;
}

const literal = String.raw`(['"\`])((?:(?!\1)[^\\]|\\.)*)\1`;
const refusals = [
  new RegExp(String.raw`\b(?:invalid|conflict|notFound|forbidden|unauthenticated|missing|busy)\(\s*${literal}`, 'g'),
  new RegExp(String.raw`new (?:Refusal|GraphQLError|ConfigError)\(\s*(?:'[a-z-]+',\s*)?${literal}`, 'g'),
];

function errorMessages(): Text[] {
  return filesBelow('src', '.ts').flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return refusals.flatMap((form) => [...source.matchAll(form)].map(([, , text = '']) => ({ at: file, text })));
  });
}

function paragraphs(): Text[] {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'client/README.md',
    ...filesBelow('docs', '.md'),
  ];
  return pages.flatMap((page) =>
    readFileSync(page, 'utf8')
      .replace(/```[\s\S]*?```|“[^”]*”|^\[[\w-]+\]: .*$/gm, '')
      .split(/\n{2,}|\n(?=[-|#\d])/)
      .map((text) => ({ at: page, text: text.replace(/\s+/g, ' ').trim() })),
  );
}

const faults = (texts: Text[], rules: readonly Rule[]): string[] =>
  texts
    .filter(({ text }) => !exceptions.has(text))
    .flatMap(({ at, text }) =>
      rules.filter(({ pattern }) => pattern.test(text)).map(({ reason }) => `${at}: "${text}" ${reason}`),
    );

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
const words = (text: string): number => text.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word)).length;

describe('sentences for readers', () => {
  const descriptions = [...schemaDescriptions(), ...openApiDescriptions()];

  it('are found', () => {
    expect(descriptions.length).toBeGreaterThan(4000);
    expect(errorMessages().length).toBeGreaterThan(300);
    expect(paragraphs().length).toBeGreaterThan(200);
  });

  it('of the schema and the OpenAPI document can be read alone', () => {
    expect(faults(descriptions, [...phrases, ...leaning])).toEqual([]);
  });

  it('of the schema and the OpenAPI document have three words and say more than the name', () => {
    const short = descriptions.filter(
      ({ text, name }) => !exceptions.has(text) && (words(text) < 3 || letters(text) === letters(name ?? '')),
    );
    expect(short.map(({ at, text }) => `${at}: "${text}"`)).toEqual([]);
  });

  it('of refusals say what is wrong and what would be right', () => {
    expect(faults(errorMessages(), phrases)).toEqual([]);
  });

  it('of the documents are plain', () => {
    expect(faults(paragraphs(), phrases)).toEqual([]);
  });
});
