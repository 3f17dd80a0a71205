// @both-databases: the statement that counts is written for both
import { expect, it } from 'vitest';
import { startWithRealm } from '../../support/fixture.js';

it('a plan counts the users who gain or lose something by roles and groups', async () => {
  const { admin } = await startWithRealm({
    realm: 'counted',
    enabled: true,
    roles: {
      realm: [
        { name: 'seller' },
        { name: 'clerk' },
        { name: 'chief', composite: true, composites: { realm: ['seller'] } },
        { name: 'unused' },
      ],
    },
    groups: [
      { name: 'staff', realmRoles: ['clerk'], subGroups: [{ name: 'night' }, { name: 'day' }] },
      { name: 'chiefs', realmRoles: ['chief'] },
    ],
    users: [
      { username: 'ann', realmRoles: ['seller'], groups: ['/chiefs'] },
      { username: 'ben', realmRoles: ['chief'] },
      { username: 'cem', groups: ['/staff/night'] },
      { username: 'dan', groups: ['/staff/day', '/staff'] },
      { username: 'eve', groups: ['/chiefs'] },
    ],
  });
  // users that are not imported have the default role
  await admin.send('POST', '/counted/users', { username: 'fay' });
  type Change = { action: string; key: string; usersGaining?: number; usersLosing?: number };
  const countsOf = async (desired: object, modes: object = {}) => {
    const { status, body } = await admin.send('POST', '/counted/plan', { desired, modes });
    expect([status, body.errorMessage]).toEqual([200, undefined]);
    return body.changes.map(({ action, key, usersGaining, usersLosing }: Change) => [
      action,
      key,
      ...(usersGaining === undefined ? [] : [`+${usersGaining}`]),
      ...(usersLosing === undefined ? [] : [`-${usersLosing}`]),
    ]);
  };

  // seller is a part of chief, which a group gives to two users, of whom one has seller itself
  expect(await countsOf({ roles: { realm: [{ name: 'clerk' }, { name: 'chief' }] } })).toEqual([
    ['DELETE', 'seller', '-3'],
    ['DELETE', 'unused', '-0'],
    ['UPDATE', 'chief', '-3'],
  ]);
  const given = { name: 'chief', composite: true, composites: { realm: ['clerk'] } };
  expect(await countsOf({ roles: { realm: [given] } }, { roles: 'KEEP' })).toEqual([['UPDATE', 'chief', '+3', '-3']]);
  // users below a group have its roles
  expect(await countsOf({ groups: [{ name: 'staff', realmRoles: ['seller'] }] }, { groups: 'KEEP' })).toEqual([
    ['UPDATE', '/staff', '+2', '-2'],
  ]);
  expect(await countsOf({ groups: [{ name: 'staff', subGroups: [{ name: 'day' }] }] })).toEqual([
    ['DELETE', '/chiefs', '-2'],
    ['DELETE', '/staff/night', '-1'],
  ]);
  const everyone = { name: 'default-roles-counted', composite: true, composites: { realm: ['seller'] } };
  const defaults = await countsOf({ roles: { realm: [everyone] } }, { roles: 'KEEP' });
  expect(defaults).toEqual([['UPDATE', 'default-roles-counted', '+1', '-1']]);
  expect(await countsOf({ groups: [{ name: 'new', realmRoles: ['seller'] }] }, { groups: 'KEEP' })).toEqual([
    ['CREATE', '/new'],
  ]);
});
