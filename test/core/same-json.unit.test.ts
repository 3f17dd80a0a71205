import { describe, expect, it } from 'vitest';
import { isSameJson, setMember } from '../../src/services/core/json.js';
import { withoutUnchangedUsers } from '../../src/services/realms/desired/unchanged-users.js';

/** An object without a prototype, as those are whose names come from outside. */
const bare = (members: object): object => Object.assign(Object.create(null), members);

describe('two JSON values', () => {
  it.each([
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [bare({ a: ['x'] }), { a: ['x'] }],
    [[], []],
    [null, null],
  ])('%j and %j are the same', (one, other) => {
    expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([true, true]);
  });

  it('are compared in the time that they have parts, however deep they are', () => {
    const deep = (): object => Array.from({ length: 60 }).reduce<object>((below) => ({ below }), {});
    expect(isSameJson(deep(), deep())).toBe(true);
  });

  const odd = {};
  setMember(odd, '__proto__', { a: 1 });
  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: null }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [[], {}],
    [null, {}],
    [undefined, {}],
    ['1', 1],
    [{ toString: 1 }, {}],
    [odd, {}],
  ])('%j and %j are not the same', (one, other) => {
    expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([false, false]);
  });
});

describe('users of a plan', () => {
  const anna = { id: 'a', username: 'anna', attributes: { floor: ['1'] } };
  const bert = { id: 'b', username: 'bert', attributes: { floor: ['2'] } };
  const current = { users: [{ ...anna, attributes: bare(anna.attributes) }, bert] };

  it('are left out where they do not change, whatever made their attributes', () => {
    const next = { ...bert, enabled: false };
    const { before, after, unchanged } = withoutUnchangedUsers(current, { users: [anna, next] }, true);
    expect(unchanged).toEqual([anna]);
    expect([before.users, after.users]).toEqual([[bert], [next]]);
  });

  it('stay where an address is taken by somebody who changes', () => {
    const addressed = { ...anna, email: 'a@mail.example' };
    const taker = { ...bert, email: 'A@mail.example' };
    const { unchanged } = withoutUnchangedUsers({ users: [addressed, bert] }, { users: [addressed, taker] }, true);
    expect(unchanged).toEqual([]);
  });
});
