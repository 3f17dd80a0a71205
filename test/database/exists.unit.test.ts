import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exists } from '../../src/database/exists.js';
import { Prisma } from '../../src/database/prisma.js';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('generated'),
);

it('every test for rows has a limit', () => {
  expect(exists(Prisma.sql`SELECT ${1}`).text).toBe('EXISTS (SELECT $1 LIMIT 1)');
  // SQLite makes no join of NOT EXISTS
  const others = files.filter((name) => /(?<!NOT )\bEXISTS \(/.test(readFileSync(`src/${name}`, 'utf8')));
  expect(others).toEqual(['database/exists.ts']);
});
