import { describe, expect, it } from 'vitest';
import { isRepeatable } from '../../client/src/repeat.js';

const update = 'mutation ($input: UserUpdateInput!) { userUpdate(input: $input) { user { id } } }';
const both =
  'mutation ($a: A!, $b: B!) @atomic { roleUpdate(input: $a) { role { id } } userUpdate( input: $b ) { user { id } } }';
const key = { idempotencyKey: 'k' };

describe('a request is repeated', () => {
  it.each([
    ['a query', '{ viewer { realm } }', {}],
    ['a dry run', update.replace(' {', ' @dryRun {'), { input: {} }],
    ['a mutation with a key', update, { input: key }],
    ['two mutations with a key each', both, { a: key, b: key }],
  ])('if it is %s', (_, text, variables) => {
    expect(isRepeatable(text, variables)).toBe(true);
  });

  it.each([
    ['a mutation without a key', update, { input: { id: '1' } }],
    ['a mutation whose key is null', update, { input: { idempotencyKey: null } }],
    ['two mutations with one key', both, { a: key, b: {} }],
    [
      'a mutation whose input is not a variable',
      'mutation { userDelete(input: { id: "1" }) { deletedId } }',
      { input: key },
    ],
    ['a mutation after a fragment', `fragment F on User { id } ${update}`, { input: {} }],
  ])('but not if it is %s', (_, text, variables) => {
    expect(isRepeatable(text, variables)).toBe(false);
  });
});
