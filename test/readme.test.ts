import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settings } from '../src/config.js';

const readme = readFileSync('README.md', 'utf8');

it.each(settings)('the README has the row of $name', ({ name, default: initial, meaning }) => {
  const shown = initial === undefined ? '' : `\`${initial}\``;
  expect(readme).toContain(`| \`${name}\` | ${shown} | ${meaning} |`);
});
