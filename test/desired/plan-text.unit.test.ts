import { describe, expect, it } from 'vitest';
import { diffLines } from '../../src/cli/desired/diff-text.js';
import { compareLines } from '../../src/cli/desired/line-diff.js';
import { maskedPlan } from '../../src/cli/desired/mask-plan.js';
import { changeLines, planMarkdown } from '../../src/cli/desired/plan-text.js';
import type { ShownChange } from '../../src/services/realms/desired/representation.js';
import { randomNumbers } from '../support/random.js';

const plain = (_style: unknown, text: string): string => text;
const field = (path: string, before: unknown, after: unknown, isSecret = false) => ({
  path: path.split('.'),
  before,
  after,
  isSecret,
});
const update = (...fields: ShownChange['fields']): ShownChange => ({
  action: 'UPDATE',
  kind: 'CLIENT',
  key: 'shop',
  id: '1',
  path: 'clients/1',
  reason: 'DIFFERS',
  dependsOn: [],
  grants: [],
  fields,
});

describe('a plan as text', () => {
  it('has of a new object what is set beside its name, and of one that goes nothing', () => {
    const fields = [
      field('clientId', undefined, 'shop'),
      field('description', undefined, ''),
      field('enabled', undefined, true),
      field('bearerOnly', undefined, false),
      field('redirectUris', undefined, ['https://a']),
      field('secret', undefined, '**********', true),
      field('webOrigins', undefined, []),
    ];
    const change = { ...update(...fields), action: 'CREATE' } as const;
    expect(changeLines(change, plain)).toEqual([
      '+ CLIENT shop',
      '    enabled: true',
      '    redirectUris: ["https://a"]',
      '    secret: "**********" (secret)',
    ]);
    expect(changeLines({ ...change, action: 'DELETE' }, plain)).toEqual(['- CLIENT shop']);
  });

  it('states how many users gain or lose something by a role or a group', () => {
    const change = update(field('composites.realm', ['a'], ['b']));
    const linesOf = (added: Partial<ShownChange>) => changeLines({ ...change, ...added }, plain).slice(0, 2);
    expect(linesOf({ usersLosing: 1, usersGaining: 1200 })[1]).toBe('    1 user loses roles, 1,200 users gain roles');
    expect(linesOf({ action: 'DELETE', usersLosing: 44 })).toEqual(['- CLIENT shop', '    44 users lose it']);
  });

  it('is Markdown that no name gets out of', () => {
    const key = '```\n# <b>x</b> [a](b) @all';
    const change = { ...update(field('name', 'a```b', 'c')), key, grants: ['realm-management/manage-users', '*x*'] };
    const plan = {
      digest: 'd',
      summary: { create: 0, update: 1, delete: 0, unchanged: 0 },
      changes: [change],
      warnings: ['`w` <i>'],
    };
    expect(planMarkdown('a_b', plan).split('\n')).toEqual([
      '### Plan of the realm a\\_b',
      '',
      '> [!CAUTION]',
      '> Administration roles are granted:',
      '> - CLIENT \\`\\`\\`\\\\n\\# \\<b>x\\</b> \\[a\\](b) \\@all gains administration: realm-management/manage-users, \\*x\\*',
      '',
      '> [!WARNING]',
      '> - \\`w\\` \\<i>',
      '',
      '````diff',
      '! CLIENT ```\\n# <b>x</b> [a](b) @all',
      '     name: "a```b" → "c"',
      '````',
      '',
      '0 to create, 1 to update, 0 to delete.',
      '',
      'digest `d`',
    ]);
  });
});

describe('the diff of an object', () => {
  it('has its fields as YAML, lists included, and says that a secret changes', () => {
    const change = update(
      field('attributes.a.0', 'x', 'y'),
      field('attributes.a.1', undefined, 'z'),
      field('redirectUris', ['https://a'], ['https://a', 'https://b']),
      field('secret', '**********', '**********', true),
    );
    expect(diffLines(change, plain)).toEqual([
      '--- CLIENT shop',
      '+++ CLIENT shop',
      ' attributes:',
      '   a:',
      '-    - x',
      '+    - y',
      '+    - z',
      ' redirectUris:',
      '   - https://a',
      '-secret: "********** (as it is)"',
      '+  - https://b',
      '+secret: "********** (as in the files)"',
    ]);
  });

  it('compares lines so that both texts can be read from it', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const random = randomNumbers(seed);
      const text = () => Array.from({ length: Math.floor(random() * 12) }, () => `l${Math.floor(random() * 4)}`);
      const [before, after] = [text(), text()];
      const lines = compareLines(before, after);
      const side = (sign: string) =>
        lines.filter((line) => line.sign === ' ' || line.sign === sign).map((line) => line.text);
      expect([side('-'), side('+')]).toEqual([before, after]);
      expect(compareLines(before, before).every(({ sign }) => sign === ' ')).toBe(true);
    }
  });
});

describe('a plan that is shown', () => {
  const masked = (secrets: string[], ...fields: ShownChange['fields']) => {
    const summary = { create: 0, update: 1, delete: 0, unchanged: 0 };
    const plan = { digest: '1true1', summary, warnings: ['hidden-value'], changes: [update(...fields)] };
    return maskedPlan(plan, secrets);
  };

  it('has masks in place of texts that came from variables, also within other texts', () => {
    const { changes, warnings } = masked(
      ['hidden-value', 'with "quotes"'],
      field('hidden-value', 'a hidden-value b', { deep: ['hidden-value'] }),
      field('config', undefined, JSON.stringify({ of: 'with "quotes"' })),
    );
    expect(JSON.stringify({ changes, warnings })).not.toMatch(/hidden|quotes/);
    expect(changes[0]?.fields[0]).toMatchObject({ path: ['**********'], before: 'a ********** b' });
  });

  it('masks short ones only where they are the whole value, and leaves the digest', () => {
    const { digest, changes } = masked(['true', '1'], field('a', 'trueish 1', true), field('b', 1, '1'));
    expect(digest).toBe('1true1');
    expect(changes[0]?.fields).toMatchObject([
      { before: '**********ish 1', after: '**********' },
      { before: '**********', after: '**********' },
    ]);
  });
});
