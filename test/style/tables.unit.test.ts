import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

// A table of the form `const table: Record<string, …> = {…}` inherits members, such as `constructor`: `table[text]` finds them.
// It is read with `ownMember`, whatever its text is, so that nobody has to know which texts come from outside.
const folders = ['graph', 'http', 'rest', 'services'];
const declaration = /^(?:export )?const (\w+): (?:Readonly<|Partial<)*Record<string, .* = \{/gm;

const files = folders.flatMap((folder) =>
  readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', folder, name)),
);
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const tables = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(declaration)].map(([, name = '']) => ({ file, name })),
);

/** The lines of a file that look up a text in a table, which is not written there. */
const readsOf = (name: string, text: string): string[] =>
  text
    .split('\n')
    .filter((line) => new RegExp(`(?<![.\\w])${name}\\[(?!['"])|(?<!const \\w+) in ${name}\\b`).test(line));

const imports = (text: string, { file, name }: { file: string; name: string }): boolean =>
  new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/${basename(file, '.ts')}\\.js'`).test(text);

it('reads tables of any texts with ownMember', () => {
  expect(tables.length).toBeGreaterThan(30);
  const found = [...texts].flatMap(([file, text]) =>
    tables
      .filter((table) => table.file === file || imports(text, table))
      .flatMap(({ name }) => readsOf(name, text).map((line) => `${file}: ${line.trim()}`)),
  );
  expect(found).toEqual([]);
});
