import { describe, expect, it } from 'vitest';
import { diffLines } from '../../src/cli/desired/diff-text.js';
import { compareLines } from '../../src/cli/desired/line-diff.js';
import { maskedPlan } from '../../src/cli/desired/mask-plan.js';
import type { ShownChange } from '../../src/services/realms/desired/representation.js';
import { randomNumbers } from '../fuzz/values.js';

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
  fields,
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
