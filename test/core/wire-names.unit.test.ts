import { expect, it } from 'vitest';
import { fieldNamed } from '../../src/graph/core/wire-names.js';

const fieldOf = fieldNamed({ enabled: 'isEnabled' });

it.each([
  ['enabled', 'isEnabled'],
  ['email', 'email'],
  ['constructor', 'constructor'],
  ['toString', 'toString'],
])('the field %s of the contract is %s in an input', (field, expected) => {
  expect(fieldOf(field)).toBe(expected);
});
