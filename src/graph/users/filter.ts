import type { Prisma } from '../../generated/sqlite/client.js';
import type { Criteria } from '../../services/user-storage/look-up.js';
import { containingWords } from '../../services/users/list.js';
import { builder } from '../core/builder.js';
import {
  AttributeFilter,
  attributeWhere,
  combined,
  DateTimeFilter,
  OrderDirection,
  StringFilter,
  textWhere,
  timeWhere,
} from '../core/filters.js';
import { parseId } from '../core/node.js';
import type { OrderKey } from '../core/page.js';

type StringTests = Parameters<typeof textWhere>[0];

export interface UserFilterValue {
  and?: UserFilterValue[] | null;
  or?: UserFilterValue[] | null;
  not?: UserFilterValue | null;
  username?: StringTests | null;
  email?: StringTests | null;
  firstName?: StringTests | null;
  lastName?: StringTests | null;
  enabled?: boolean | null;
  emailVerified?: boolean | null;
  serviceAccount?: boolean | null;
  createdAt?: Parameters<typeof timeWhere>[0] | null;
  attribute?: Parameters<typeof attributeWhere>[0] | null;
  role?: string | null;
  group?: string | null;
  requiredAction?: string | null;
  identityProvider?: string | null;
  search?: string | null;
}

export const UserFilter = builder.inputRef<UserFilterValue>('UserFilter').implement({
  description: 'Which users; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [UserFilter], description: 'All of these.' }),
    or: t.field({ type: [UserFilter], description: 'One of these.' }),
    not: t.field({ type: UserFilter, description: 'Not this.' }),
    username: t.field({ type: StringFilter, description: 'Test of the user name, whatever the case.' }),
    email: t.field({ type: StringFilter, description: 'Test of the e-mail address, whatever the case.' }),
    firstName: t.field({ type: StringFilter, description: 'Test of the first name; the case matters.' }),
    lastName: t.field({ type: StringFilter, description: 'Test of the last name; the case matters.' }),
    enabled: t.boolean({ description: 'Whether the user can log in.' }),
    emailVerified: t.boolean({ description: 'Whether the address is known to be the user’s.' }),
    serviceAccount: t.boolean({ description: 'Whether a client acts as this user.' }),
    createdAt: t.field({ type: DateTimeFilter, description: 'Test of when the user was created.' }),
    attribute: t.field({ type: AttributeFilter, description: 'An attribute that the user has.' }),
    role: t.id({ description: 'Id of a role that the user has directly.' }),
    group: t.id({ description: 'Id of a group that the user is in itself.' }),
    requiredAction: t.string({ description: 'Alias of an action that the user still has to perform.' }),
    identityProvider: t.string({ description: 'Alias of an identity provider that the user is linked to.' }),
    search: t.string({
      description: 'Words, each somewhere in the user name, the address or the names, whatever the case.',
    }),
  }),
});

const lower = (text: string): string => text.toLowerCase();

/** A user filter as the database understands it. */
export function userWhere(filter: UserFilterValue): Prisma.UserWhereInput {
  const { createdAt, attribute, enabled, emailVerified, serviceAccount, requiredAction, identityProvider } = filter;
  return {
    AND: [
      combined(filter, userWhere),
      filter.search ? containingWords(filter.search) : {},
      {
        ...(filter.username && { username: textWhere(filter.username, lower) }),
        ...(filter.email && { email: textWhere(filter.email, lower) }),
        ...(filter.firstName && { firstName: textWhere(filter.firstName) }),
        ...(filter.lastName && { lastName: textWhere(filter.lastName) }),
        ...(enabled != null && { enabled }),
        ...(emailVerified != null && { emailVerified }),
        ...(serviceAccount != null && { serviceAccountClientId: serviceAccount ? { not: null } : null }),
        ...(createdAt && { createdTimestamp: timeWhere(createdAt) }),
        ...(attribute && { attributes: attributeWhere(attribute) }),
        ...(filter.role && { roles: { some: { roleId: parseId(filter.role, 'filter.role', 'Role').id } } }),
        ...(filter.group && { groups: { some: { groupId: parseId(filter.group, 'filter.group', 'Group').id } } }),
        ...(requiredAction && { requiredActions: { array_contains: requiredAction } as object }),
        ...(identityProvider && { federatedIdentities: { some: { identityProvider } } }),
      },
    ],
  };
}

const lookedFor = ['username', 'email', 'firstName', 'lastName'] as const;

/** What of a filter directories can be asked for; nothing of tests that are combined with others. */
export function userCriteria(filter: UserFilterValue): Criteria {
  const criteria: Criteria = filter.search ? { search: filter.search } : {};
  for (const field of lookedFor) {
    const { equals, contains, startsWith, endsWith } = filter[field] ?? {};
    const value = equals ?? contains ?? startsWith ?? endsWith;
    if (value) criteria[field] = value;
  }
  return criteria;
}

const UserOrderField = builder.enumType('UserOrderField', {
  description: 'What users can be ordered by.',
  values: {
    USERNAME: { description: 'User name.' },
    EMAIL: { description: 'E-mail address; users without one come last.' },
    FIRST_NAME: { description: 'First name; users without one come last.' },
    LAST_NAME: { description: 'Last name; users without one come last.' },
    CREATED_AT: { description: 'Time of creation.' },
  },
});

type OrderField = 'USERNAME' | 'EMAIL' | 'FIRST_NAME' | 'LAST_NAME' | 'CREATED_AT';

export interface UserOrderValue {
  field: OrderField;
  direction?: 'ASC' | 'DESC' | null;
}

export const UserOrder = builder.inputRef<UserOrderValue>('UserOrder').implement({
  description: 'An order of users. Users that are equal in it are ordered by id.',
  fields: (t) => ({
    field: t.field({ type: UserOrderField, required: true, description: 'What to order by.' }),
    direction: t.field({ type: OrderDirection, description: 'Which end comes first; ASC unless told.' }),
  }),
});

const keys: Record<OrderField, Omit<OrderKey, 'descending'>> = {
  USERNAME: { path: 'username' },
  EMAIL: { path: 'email', nullable: true },
  FIRST_NAME: { path: 'firstName', nullable: true },
  LAST_NAME: { path: 'lastName', nullable: true },
  CREATED_AT: { path: 'createdTimestamp', nullable: true },
};

const byName: UserOrderValue = { field: 'USERNAME' };

/** The columns of an order of users. */
export function userOrder(order: UserOrderValue | null | undefined): OrderKey[] {
  const { field, direction } = order ?? byName;
  return [{ ...keys[field], descending: direction === 'DESC' }, { path: 'id' }];
}

/** The same for the rows of a join table, which have the name of the user themselves. */
export function joinedUserOrder(order: UserOrderValue | null | undefined): OrderKey[] {
  const { field, direction } = order ?? byName;
  const key = keys[field];
  const path = field === 'USERNAME' ? key.path : `user.${key.path}`;
  return [{ ...key, path, descending: direction === 'DESC' }, { path: 'userId' }];
}
