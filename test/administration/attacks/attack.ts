import type { Ids } from '../fixture.js';

/** The realm that is attacked. */
export const realm = 'hostile';

/** A request by which an administrator with one role tries to get more. */
export interface Attack {
  /** what it does */
  name: string;
  /** the role that the administrator has */
  by: string;
  method: string;
  /** of the request, below the realm */
  path: (ids: Ids) => string;
  body?: (ids: Ids) => unknown;
}

export type AttackOfRole = Omit<Attack, 'by'>;

export const role = (id: string | undefined, name: string) => ({ id, name });
export const admins = (ids: Ids) => [
  role(ids.rights['manage-users'], 'manage-users'),
  role(ids.rights['realm-admin'], 'realm-admin'),
];
export const rm = (ids: Ids) => `/clients/${ids.clients['realm-management']}`;
export const me = (ids: Ids, by: string) => `/users/${ids.users[by]}`;
export const boss = (ids: Ids) => `/users/${ids.users.boss}`;
