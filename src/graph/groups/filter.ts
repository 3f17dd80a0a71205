import { groupFields } from '../../services/groups/fields.js';
import { listType, named, onAttribute, onText, shownLinkTo, telling, whether } from '../core/list-type.js';
import { fieldConditions, fieldOrders } from '../core/resource-fields.js';

/** The filter and the orders of all lists of groups. */
export const groupList = listType({
  name: 'Group',
  plural: 'groups',
  conditions: {
    ...fieldConditions(groupFields),
    path: onText('path', 'Condition on the path. For example, `startsWith: "/a/"` matches every group below `/a`.'),
    search: named('Matches groups whose name contains this text. Case-insensitive.', (text) =>
      text ? { search: { contains: text.trim().toLowerCase() } } : {},
    ),
    attribute: onAttribute('Matches groups with this attribute.'),
    isTopLevel: whether('Matches groups that are (true) or are not (false) at the top level.', (is) => ({
      parentId: is ? null : { not: null },
    })),
    isDefault: whether('Matches groups that new users do (true) or do not (false) join.', (isDefault) => ({
      isDefault,
    })),
    // shown by `roles`
    role: shownLinkTo('Role', 'Matches groups with a direct mapping of the role with this ID.', (roleId) => ({
      roles: { some: { roleId } },
    })),
    hasMembers: telling(
      'members',
      whether(
        'Matches groups that do (true) or do not (false) have direct members. Leaves out groups whose members the caller may not view.',
        (has) => ({ users: { [has ? 'some' : 'none']: {} } }),
      ),
    ),
  },
  orders: {
    ...fieldOrders(groupFields),
    PATH: { path: 'path', description: 'Order by path: each group comes after its parent group.' },
  },
});
