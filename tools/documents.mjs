import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const outsideOfDocs = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'bench/README.md',
  'bench/RESULTS.md',
  'src/database/README.md',
  'test/contract/recordings/README.md',
];

/** The documents of the project, as paths within it. */
export const documents = outsideOfDocs.concat(
  readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .sort(),
);
