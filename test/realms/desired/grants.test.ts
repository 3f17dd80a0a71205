import { expect, it } from 'vitest';
import { startWithRealm } from '../../support/fixture.js';

// Who gains administration roles by a plan is told beside the change, however the roles come about.
const rights = 'realm-management';
const modes = { roles: 'KEEP', groups: 'KEEP', users: 'KEEP' };

it('a plan names the administration roles that roles, groups, and users gain', async () => {
  const { admin } = await startWithRealm({
    realm: 'granting',
    enabled: true,
    roles: {
      realm: [
        { name: 'clerk' },
        { name: 'lead', composite: true, composites: { client: { [rights]: ['view-events'] } } },
      ],
    },
    groups: [{ name: 'leads', realmRoles: ['lead'] }, { name: 'staff' }],
    users: [{ username: 'ann' }, { username: 'ben', realmRoles: ['lead'] }],
  });
  const grantsOf = async (desired: object, realm = 'granting') => {
    const { status, body } = await admin.send('POST', `/${realm}/plan`, { desired, modes });
    expect([status, body.errorMessage]).toEqual([200, undefined]);
    return body.changes.flatMap(({ kind, key, grants }: { kind: string; key: string; grants: string[] }) =>
      grants.length > 0 ? [[kind, key, ...grants]] : [],
    );
  };
  expect(
    await grantsOf({
      roles: { realm: [{ name: 'helper', composite: true, composites: { client: { [rights]: ['view-users'] } } }] },
      groups: [
        {
          name: 'helpers',
          clientRoles: { [rights]: ['manage-users'] },
          subGroups: [{ name: 'night', realmRoles: ['clerk'] }],
        },
      ],
      users: [
        { username: 'ann', clientRoles: { [rights]: ['realm-admin', 'view-users'] } },
        { username: 'ben', realmRoles: ['lead', 'clerk'], groups: ['/staff'] },
        { username: 'cem', groups: ['/helpers/night'] },
        { username: 'dan', groups: ['/leads'], realmRoles: ['helper'] },
      ],
    }),
  ).toEqual([
    ['GROUP', '/helpers', `${rights}/manage-users`],
    ['REALM_ROLE', 'helper', `${rights}/view-users`],
    ['USER', 'ann', `${rights}/realm-admin`],
    ['USER', 'cem', `${rights}/manage-users`],
    ['USER', 'dan', `${rights}/view-events`, `${rights}/view-users`],
  ]);
  expect(await grantsOf({ users: [{ username: 'ben', realmRoles: ['lead'], firstName: 'Ben' }] })).toEqual([]);
  expect(
    await grantsOf(
      { users: [{ username: 'eve', realmRoles: ['admin'], clientRoles: { 'granting-realm': ['view-users'] } }] },
      'master',
    ),
  ).toEqual([['USER', 'eve', 'admin']]);
});
