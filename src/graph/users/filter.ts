import { hasItem } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Criteria } from '../../services/user-storage/read/look-up.js';
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
  isEnabled?: boolean | null;
  isEmailVerified?: boolean | null;
  isServiceAccount?: boolean | null;
  createdAt?: Parameters<typeof timeWhere>[0] | null;
  attribute?: Parameters<typeof attributeWhere>[0] | null;
  role?: string | null;
  group?: string | null;
  requiredAction?: string | null;
  identityProvider?: string | null;
  search?: string | null;
}

export const UserFilter = builder.inputRef<UserFilterValue>('UserFilter').implement({
  description: 'Filter for users. All given conditions must match.',
  fields: (t) => ({
    and: t.field({ type: [UserFilter], description: 'Matches if every one of these filters matches.' }),
    or: t.field({ type: [UserFilter], description: 'Matches if at least one of these filters matches.' }),
    not: t.field({ type: UserFilter, description: 'Matches if this filter does not match.' }),
    username: t.field({ type: StringFilter, description: 'Condition on the username. Case-insensitive.' }),
    email: t.field({ type: StringFilter, description: 'Condition on the email address. Case-insensitive.' }),
    firstName: t.field({ type: StringFilter, description: 'Condition on the first name. Case-sensitive.' }),
    lastName: t.field({ type: StringFilter, description: 'Condition on the last name. Case-sensitive.' }),
    isEnabled: t.boolean({ description: 'Matches users that are (true) or are not (false) enabled.' }),
    isEmailVerified: t.boolean({
      description: 'Matches users whose email address is (true) or is not (false) verified.',
    }),
    isServiceAccount: t.boolean({ description: 'Matches service accounts of clients (true) or other users (false).' }),
    createdAt: t.field({ type: DateTimeFilter, description: 'Condition on the creation time.' }),
    attribute: t.field({ type: AttributeFilter, description: 'Matches users with this attribute.' }),
    role: t.id({ description: 'Matches users with a direct mapping of the role with this ID.' }),
    group: t.id({ description: 'Matches direct members of the group with this ID.' }),
    requiredAction: t.string({ description: 'Matches users with the required action that has this alias.' }),
    identityProvider: t.string({ description: 'Matches users linked to the identity provider with this alias.' }),
    search: t.string({
      description:
        'Words separated by spaces. Matches users where each word occurs in the username, email address, first name, or last name. Case-insensitive.',
    }),
  }),
});

const lower = (text: string): string => text.toLowerCase();

/** A user filter as the database understands it. */
export function userWhere(filter: UserFilterValue): Prisma.UserWhereInput {
  const { createdAt, attribute, isEnabled, isEmailVerified, isServiceAccount, requiredAction, identityProvider } =
    filter;
  return {
    AND: [
      combined(filter, userWhere),
      filter.search ? containingWords(filter.search) : {},
      {
        ...(filter.username && { username: textWhere(filter.username, lower) }),
        ...(filter.email && { email: textWhere(filter.email, lower) }),
        ...(filter.firstName && { firstName: textWhere(filter.firstName) }),
        ...(filter.lastName && { lastName: textWhere(filter.lastName) }),
        ...(isEnabled != null && { enabled: isEnabled }),
        ...(isEmailVerified != null && { emailVerified: isEmailVerified }),
        ...(isServiceAccount != null && { serviceAccountClientId: isServiceAccount ? { not: null } : null }),
        ...(createdAt && { createdTimestamp: timeWhere(createdAt) }),
        ...(attribute && { attributes: attributeWhere(attribute) }),
        ...(filter.role && { roles: { some: { roleId: parseId(filter.role, 'filter.role', 'Role').id } } }),
        ...(filter.group && { groups: { some: { groupId: parseId(filter.group, 'filter.group', 'Group').id } } }),
        ...(requiredAction && { requiredActions: hasItem(requiredAction) }),
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
  description: 'Field by which users can be ordered.',
  values: {
    USERNAME: { description: 'Order by username.' },
    EMAIL: { description: 'Order by email address. Users without one come last.' },
    FIRST_NAME: { description: 'Order by first name. Users without one come last.' },
    LAST_NAME: { description: 'Order by last name. Users without one come last.' },
    CREATED_AT: { description: 'Order by creation time.' },
  },
});

type OrderField = 'USERNAME' | 'EMAIL' | 'FIRST_NAME' | 'LAST_NAME' | 'CREATED_AT';

export interface UserOrderValue {
  field: OrderField;
  direction?: 'ASC' | 'DESC' | null;
}

export const UserOrder = builder.inputRef<UserOrderValue>('UserOrder').implement({
  description: 'Order of users. Users with equal values are ordered by ID.',
  fields: (t) => ({
    field: t.field({ type: UserOrderField, required: true, description: 'Field to order by.' }),
    direction: t.field({ type: OrderDirection, description: 'Direction of the order. Default `ASC`.' }),
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
