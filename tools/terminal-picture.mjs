// Makes docs/pictures/plan.svg: what `realmgate plan` prints on a terminal, from a database of its own with the realm acme and a folder
// that was pulled of it and edited. `npm run pictures` runs it. It needs the command `script` of Debian's bsdutils.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const command = fileURLToPath(new URL('../dist/cli/realmgate.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'realmgate-pictures-'));
const env = {
  PATH: process.env.PATH,
  TERM: 'xterm-256color',
  SHELL: '/bin/sh',
  DATABASE_URL: `file:${join(folder, 'pictures.db')}`,
};
try {
  const run = (...args) => execFileSync(process.execPath, [command, ...args], { env, cwd: folder });
  run('migrate');
  run('import', fileURLToPath(new URL('../examples/acme-realm.json', import.meta.url)));
  run('pull', '--realm', 'acme', '--out', 'realm');
  edit('realm.yaml', /^accessTokenLifespan: .*$/m, 'accessTokenLifespan: 300');
  edit('clients/client-001.yaml', /^enabled: .*$/m, 'enabled: false');
  rmSync(join(folder, 'realm/groups/g-09.yaml'));
  writeFileSync(join(folder, 'realm/roles/auditor.yaml'), 'name: auditor\ndescription: Reads reports\n');
  const line = `'${process.execPath}' '${command}' plan realm`;
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { env, cwd: folder, encoding: 'utf8' });
  if (!stdout?.includes('digest')) throw new Error(`The plan was not printed: ${stdout}`);
  writeFileSync('docs/pictures/plan.svg', pictureOf('npx realmgate plan realm', stdout));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function edit(file, before, after) {
  const path = join(folder, 'realm', file);
  const text = readFileSync(path, 'utf8');
  if (!before.test(text)) throw new Error(`${file} has no ${before}.`);
  writeFileSync(path, text.replace(before, after));
}

/** A window of a terminal with a command and what it printed. */
function pictureOf(typed, printed) {
  const lines = [`\u001B[2m$\u001B[22m ${typed}`, ...printed.trimEnd().split(/\r?\n/)];
  const width = 960;
  const step = 21;
  const rows = lines.map(
    (line, index) => `<text x="20" y="${52 + index * step}" xml:space="preserve">${spans(line)}</text>`,
  );
  const total = 44 + lines.length * step + 14;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" width="${width}" height="${total}" role="img" aria-label="Output of realmgate plan">
<rect width="${width}" height="${total}" rx="8" fill="#1b1f27"/>
<g fill="#5b6270"><circle cx="22" cy="20" r="6"/><circle cx="42" cy="20" r="6"/><circle cx="62" cy="20" r="6"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#d8dce4">
${rows.join('\n')}
</g>
</svg>
`;
}

/** A line with the colours of a terminal as parts of a text. */
function spans(line) {
  const styles = {
    31: 'fill="#ff7b72"',
    32: 'fill="#7ee787"',
    33: 'fill="#f2cc60"',
    2: 'fill="#8b93a1"',
    1: 'font-weight="bold"',
  };
  let style = '';
  let result = '';
  for (const part of `0m${line}`.split('\u001B[')) {
    const [, code, text] = /^(\d+)m(.*)$/.exec(part);
    style = styles[code] ?? '';
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    if (escaped !== '') result += style === '' ? escaped : `<tspan ${style}>${escaped}</tspan>`;
  }
  return result;
}
