import { hasItem } from '../../database/lists.js';
import { isObject } from '../../services/core/json.js';
import type { Criteria } from '../../services/user-storage/read/look-up.js';
import { userFields } from '../../services/users/fields.js';
import { containingWords } from '../../services/users/list.js';
import {
  type FilterValue,
  linkedTo,
  listType,
  named,
  onAttribute,
  onOptionalText,
  onText,
  onTime,
  shownLinkTo,
  whether,
} from '../core/list-type.js';
import { fieldConditions, fieldOrders } from '../core/resource-fields.js';

const lower = (text: string): string => text.toLowerCase();

/** The filter and the orders of all lists of users. */
export const userList = listType({
  name: 'User',
  plural: 'users',
  conditions: {
    username: onText('username', 'Condition on the username. Case-insensitive.', lower),
    email: onOptionalText('email', 'Condition on the email address. Case-insensitive.', lower),
    ...fieldConditions(userFields),
    isEnabled: whether('Matches users that are (true) or are not (false) enabled.', (enabled) => ({ enabled })),
    isEmailVerified: whether(
      'Matches users whose email address is (true) or is not (false) verified.',
      (emailVerified) => ({ emailVerified }),
    ),
    isServiceAccount: whether('Matches service accounts of clients (true) or other users (false).', (is) => ({
      serviceAccountClientId: is ? { not: null } : null,
    })),
    createdAt: onTime('createdTimestamp', 'Condition on the creation time.'),
    attribute: onAttribute('Matches users with this attribute.'),
    // shown by `directRoles`
    role: shownLinkTo('Role', 'Matches users with a direct mapping of the role with this ID.', (roleId) => ({
      roles: { some: { roleId } },
    })),
    group: linkedTo('Group', 'Matches direct members of the group with this ID.', (groupId) => ({
      groups: { some: { groupId } },
    })),
    // shown by `federationLinkId` and `originId`
    userStorage: shownLinkTo(
      'UserStorage',
      'Matches users of the user storage with this ID, whether or not it imports them.',
      (federationLink) => ({ federationLink }),
    ),
    requiredAction: named('Matches users with the required action that has this alias.', (alias) => ({
      requiredActions: hasItem(alias),
    })),
    identityProviderAlias: named(
      'Matches users linked to the identity provider with this alias.',
      (identityProvider) => ({
        federatedIdentities: { some: { identityProvider } },
      }),
    ),
    search: named(
      'Words separated by spaces. Matches users where each word occurs in the username, email address, first name, or last name. Case-insensitive.',
      (words) => (words ? containingWords(words) : {}),
    ),
  },
  orders: {
    ...fieldOrders(userFields),
    CREATED_AT: { path: 'createdTimestamp', isNullable: true, description: 'Order by creation time.' },
  },
});

const lookedFor = ['username', 'email', 'firstName', 'lastName'] as const;

/** The part of a filter that directories can search for. Tests within `and`, `or`, and `not` are left out. */
export function userCriteria(filter: FilterValue): Criteria {
  const criteria: Criteria = typeof filter.search === 'string' && filter.search ? { search: filter.search } : {};
  for (const field of lookedFor) {
    const tests = filter[field];
    if (!isObject(tests)) continue;
    const value = tests.equals ?? tests.contains ?? tests.startsWith ?? tests.endsWith;
    if (typeof value === 'string' && value) criteria[field] = value;
  }
  return criteria;
}
