import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, getNamedType, isInputObjectType, Kind, parse, validate, visit } from 'graphql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sectionsOf as clientSections } from '../../console/src/clients/client-settings.js';
import { inBatches } from '../../console/src/parts/batches.js';
import { inputOf, keysOf, messageAt, nameField, type Section, valuesAt } from '../../console/src/parts/fields.js';
import { contractNames } from '../../console/src/realm/contract-names.js';
import { isFound, sections } from '../../console/src/realm/sections.js';
import { payloadObjects } from '../../console/src/session/documents.js';
import { inputTypeOf, mutationText } from '../../console/src/session/mutation-text.js';
import { type Language, loadLanguages, patternOf } from '../../console/src/text/catalogue.js';
import { linesOf, usersIn } from '../../console/src/users/user-lines.js';
import { settingGroups } from '../../src/graph/realms/settings.js';
import { differencesOf } from '../../tools/generate-texts.mjs';
import { isSource, madeFragments, sourcesOf as sourcesIn } from '../../tools/made-fragments.mjs';
import { madePages } from '../../tools/made-pages.mjs';

// the modules read the language and the address of the page when they are loaded
vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('location', { origin: 'https://id.example', pathname: '/console/master' });
});
vi.unstubAllGlobals();

const root = new URL('../../console/src/', import.meta.url);

/** The sources of a folder. */
const sourcesOf = (folder: string): string =>
  readdirSync(new URL(`${folder}/`, root))
    .filter((name) => isSource(name))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'))
    .join('\n');

/** The texts of a folder in a language, by their keys. */
function textsOf(folder: string, language: string): Record<string, string> {
  const file = new URL(`${folder}/texts.${language}.json`, root);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Whether a source uses the text of a key: by its name, as a property, as a line of a table, or by a template such as `${kind}Hint`. */
function isUsed(key: string, source: string): boolean {
  const templates = [...source.matchAll(/\bt\(`([^`]+)`/g)].map(([, text = '']) =>
    text.replace(/\$\{[^}]+\}/g, '\\w+'),
  );
  return (
    new RegExp(`'${key}'|texts\\.${key}\\b|words\\.${key}\\b|\\b${key}: (Icon|\\[)`, 'i').test(source) ||
    templates.some((template) => new RegExp(`^${template}$`).test(key))
  );
}

const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe('the sources of the console', () => {
  const sources = new Map(folders.map(({ name }) => [name, sourcesOf(name)]));
  const all = [...sources.values()].join('\n');

  it.each([...sources.keys()])('have no text in %s that no screen shows', (folder) => {
    // names of fields, values, settings, and rules come from the API
    const keys = Object.keys(textsOf(folder, 'en')).filter((key) => !/^[A-Z_]+$|^(field|value|key|rule)\./.test(key));
    const unused = keys.filter((key) => !isUsed(key, folder === 'words' ? all : (sources.get(folder) ?? '')));
    expect(unused).toEqual([]);
  });

  it('load the texts of each folder in both languages', async () => {
    const own = folders.map(({ name }) => name).filter((name) => Object.keys(textsOf(name, 'en')).length > 0);
    const expected = ['en', 'de'].flatMap((language) => own.map((name) => Object.values(textsOf(name, language))[0]));
    await Promise.all(own.map((name) => import(`../../console/src/${name}/texts.ts`)));
    await loadLanguages();
    const loaded = ['en', 'de'].flatMap((language) =>
      own.map((folder) =>
        patternOf({ folder, key: Object.keys(textsOf(folder, 'en'))[0] ?? '' }, language as Language),
      ),
    );
    expect([own.length > 10, loaded]).toEqual([true, expected]);
  });

  it.each([...sources.keys()])('have the texts of %s in each language, with the same placeholders', (folder) => {
    expect(differencesOf(folder, textsOf(folder, 'en'), textsOf(folder, 'de'))).toEqual([]);
  });

  it('tell of a text that a language lacks, and of another placeholder', () => {
    expect(
      differencesOf('users', { create: 'Create', saved: '{name} is saved.' }, { saved: '{user}', more: '' }),
    ).toEqual([
      'users/texts.en.json lacks more.',
      'users/texts.de.json lacks create.',
      'users: the languages have different placeholders in saved.',
    ]);
  });
});

/** The names of the values that the documents of a folder ask for. */
function leavesOf(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.graphql'));
  const leaves = new Set<string>();
  for (const name of names) {
    visit(parse(readFileSync(new URL(`${folder}/${name}`, root), 'utf8')), {
      Field: ({ alias, name, selectionSet }) => {
        if (!selectionSet) leaves.add((alias ?? name).value);
      },
    });
  }
  return [...leaves];
}

describe('the documents of the console', () => {
  const shared = ['parts', 'session'].map(sourcesOf).join('\n');

  it.each(folders.map(({ name }) => name))('ask in %s for nothing that no screen reads', (folder) => {
    // texts have values as placeholders
    const read = [...Object.values(textsOf(folder, 'en')), sourcesOf(folder), shared].join('\n');
    expect(leavesOf(folder).filter((name) => !new RegExp(`\\b${name}\\b`).test(read))).toEqual([]);
  });
});

/** The lists of a document that have neither pages nor a total, and fewer rows than the API answers. */
function cutLists(text: string): string[] {
  const cut: string[] = [];
  visit(parse(text), {
    Field: ({ name, arguments: given = [], selectionSet }) => {
      const first = given.find((argument) => argument.name.value === 'first')?.value;
      const size = first?.kind === Kind.INT ? Number(first.value) : undefined;
      const states = selectionSet?.selections.some(
        (field) => field.kind === Kind.FIELD && field.name.value === 'totalCount',
      );
      // a summary has a few rows
      if (size !== undefined && size > 20 && size < 500 && !states) cut.push(`${name.value}: ${size}`);
    },
  });
  return cut;
}

describe('the lists of the console', () => {
  it.each(folders.map(({ name }) => name))('do not end in %s without saying so', (folder) => {
    const names = readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.graphql'));
    expect(names.flatMap((name) => cutLists(readFileSync(new URL(`${folder}/${name}`, root), 'utf8')))).toEqual([]);
  });
});

const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));

describe('the fragments and pages that are made of what the sources read', () => {
  it.each(folders.map(({ name }) => name))('have no secret in %s', (folder) => {
    const path = fileURLToPath(new URL(`${folder}/`, root));
    const names = readdirSync(path).filter((name) => name.endsWith('.graphql'));
    const written = names.flatMap((name) => parse(readFileSync(`${path}${name}`, 'utf8')).definitions);
    const own = [...written, ...madePages(schema, written, path)];
    const selected: string[] = [];
    visit(
      {
        kind: Kind.DOCUMENT,
        definitions: [...madeFragments(schema, own, sourcesIn(path)), ...own.slice(written.length)],
      },
      { Field: ({ name, selectionSet }) => void (selectionSet || selected.push(name.value)) },
    );
    expect(selected.filter((name) => /^(?!is|has).*(secret|password|credential)$/i.test(name))).toEqual([]);
  });
});

describe('the mutations that the console sends by their names', () => {
  const names = Object.keys(payloadObjects) as (keyof typeof payloadObjects)[];

  it.each(names)('are documents of the schema: %s', (name) => {
    expect(validate(schema, parse(mutationText(name)))).toEqual([]);
  });
});

describe('the comments of documents', () => {
  it.each(folders.map(({ name }) => name))('stand above what they describe in %s', (folder) => {
    const names = readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.graphql'));
    const texts = names.map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'));
    const misplaced = texts.flatMap((text) => text.match(/^#.*\n(?!query|mutation|subscription|fragment)/gm) ?? []);
    expect(misplaced).toEqual([]);
  });
});

describe('values of a form', () => {
  it('are those of the fields, in the form of the input', () => {
    const attributes = [{ __typename: 'Attribute', name: 'city', values: ['Kiel'] }];
    const stored = { __typename: 'Group', attributes, flows: { __typename: 'Flows', isOn: true }, version: 1 };
    const fields = ['attributes', 'flows.isOn', 'flows.missing'].map((path) => ({ ...nameField, path }));
    expect(inputOf(valuesAt(fields, stored))).toEqual({
      attributes: [{ name: 'city', values: ['Kiel'] }],
      flows: { isOn: true, missing: null },
    });
  });

  it('are those of stored settings, and what applies otherwise', () => {
    const setting = (name: string) => ({ ...nameField, setting: name, path: `settings[${name}]` });
    const fields = [
      setting('scope'),
      { ...setting('isOn'), kind: 'flag' as const },
      { ...setting('lines'), kind: 'lines' as const },
      { ...setting('prompt'), standard: 'login' },
      { ...nameField, path: 'flow', kind: 'choice' as const },
    ];
    const settings = [
      { name: 'scope', value: 'openid' },
      { name: 'isOn', values: ['true'] },
      { name: 'lines', values: ['a', 'b'] },
    ];
    expect(inputOf(valuesAt(fields, { settings, flow: { id: 'one' } }))).toEqual({
      settings: { scope: 'openid', isOn: true, lines: ['a', 'b'], prompt: 'login' },
      flow: 'one',
    });
  });
});

describe('errors of a form', () => {
  const error = (...path: string[]) => [{ code: 'INVALID', message: 'wrong', path }];
  const field = (path: string) => ({ ...nameField, path });

  it.each([
    ['isEnabled', ['isEnabled']],
    ['bruteForce.isEnabled', ['bruteForce', 'isEnabled']],
    ['attributes', ['attributes', '0', 'name']],
    ['settings.roles', ['settings', 'role', 'roles']],
    ['settings[claim.name]', ['settings', 'claim.name']],
    ['settings[claim.name]', ['claim.name']],
  ])('stand at the field %s', (path, at) => {
    expect(messageAt(error(...at), field(path))).toBe('wrong');
  });

  it.each([
    ['isEnabled', ['bruteForce', 'isEnabled']],
    ['bruteForce.isEnabled', ['isEnabled']],
    ['events.isEnabled', ['bruteForce', 'isEnabled']],
    ['name', ['settings']],
  ])('of others do not stand at the field %s', (path, at) => {
    expect(messageAt(error(...at), field(path))).toBeUndefined();
  });
});

describe('many items', () => {
  const items = Array.from({ length: 2500 }, (_, at) => at);

  it('are sent in batches, whose payloads are kept', async () => {
    const { data, errors } = await inBatches(items, async (batch) => ({ data: { done: batch.length }, errors: [] }));
    expect([Object.values(data ?? {}), errors]).toEqual([[1000, 1000, 500], []]);
  });

  it('are not sent after the first batch that is refused', async () => {
    const refusal = { code: 'INVALID', message: 'wrong', path: null };
    const sent: number[] = [];
    const { errors } = await inBatches(items, async (batch) => {
      sent.push(batch.length);
      return { data: undefined, errors: [refusal] };
    });
    expect([sent, errors]).toEqual([[1000], [refusal]]);
  });
});

describe('the settings of a realm', () => {
  const fields = Object.values(sections).flatMap((section) => section.fields);

  it('have the names of the contract', () => {
    const names = settingGroups.flatMap(({ name, settings }) =>
      settings.map((setting) => [`${name}.${setting.name}`, setting.wire] as const),
    );
    const shown = new Set(fields.map(({ path }) => path));
    const different = names.filter(([path, wire]) => shown.has(path) && path.split('.')[1] !== wire);
    expect(contractNames).toEqual(Object.fromEntries(different));
  });

  beforeAll(() => loadLanguages());

  it.each([
    ['idle', 'sessions.idleTimeout'],
    ['unused session', 'sessions.idleTimeout'],
    ['ssoSessionIdleTimeout', 'sessions.idleTimeout'],
    ['unbenutzt', 'sessions.idleTimeout'],
    ['verifyEmail', 'login.requiresVerifiedEmail'],
  ])('are found by %s', (search, path) => {
    const found = fields.filter((field) => isFound(field, search)).map((field) => field.path);
    expect(found).toContain(path);
  });
});

it('Users in lines have their values in the columns where they are, also from a table', () => {
  const users = usersIn(linesOf('anna\ta@shop.example\t\tKlein\nbert; b@shop.example;Bert\n"carl, jr.",,Carl'));
  expect(users).toEqual([
    { username: 'anna', isEnabled: true, email: 'a@shop.example', lastName: 'Klein' },
    { username: 'bert', isEnabled: true, email: 'b@shop.example', firstName: 'Bert' },
    { username: 'carl, jr.', isEnabled: true, firstName: 'Carl' },
  ]);
});

describe('the explanations of fields', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

  /** The description of a field of an input type, by the names that lead to it. */
  function descriptionOf(typeName: string, [name = '', ...rest]: string[]): string | null | undefined {
    const type = schema.getType(typeName);
    const field = isInputObjectType(type) ? type.getFields()[name] : undefined;
    return rest.length > 0 && field ? descriptionOf(getNamedType(field.type).name, rest) : field?.description;
  }

  const forms: [mutation: 'realmUpdate' | 'clientUpdate', sections: Section[]][] = [
    ['realmUpdate', Object.values(sections)],
    ['clientUpdate', [...clientSections('OPENID_CONNECT'), ...clientSections('SAML')]],
  ];

  it.each(forms)('are there for each field of %s', (mutation, shown) => {
    const paths = shown.flatMap(({ fields }) => fields.map(({ path }) => path));
    const missing = paths.filter((path) => !descriptionOf(inputTypeOf(mutation), keysOf(path)));
    expect([paths.length > 10, missing]).toEqual([true, []]);
  });
});
