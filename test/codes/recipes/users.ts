import type { RefusalCode } from '../../../src/services/core/refusal-codes.js';
import { here, type Id, type Recipe, type Recipes, twice } from './recipe.js';

const users = (id: Id, ...given: object[]) => ({ ...here(id), users: given });
const protectedAttribute = [{ name: 'LDAP_ID', values: ['1'] }];
/** What is wrong with the profile of a user, whichever mutation writes it. */
const profiles = {
  EMAIL_INVALID: { email: 'a b@example.org' },
  EMAIL_TAKEN: { email: 'off@example.org' },
  PASSWORD_POLICY: { password: { value: 'short' } },
  READ_ONLY: { attributes: protectedAttribute },
  UNKNOWN_REQUIRED_ACTION: { requiredActions: ['NO_SUCH_ACTION'] },
  USERNAME_INVALID: { username: 'b\u200bob' },
  USERNAME_TAKEN: { username: 'off' },
} as const satisfies Partial<Record<RefusalCode, object>>;
const ofProfiles = (input: (id: Id, fault: object) => object): Record<string, Recipe> =>
  Object.fromEntries(Object.entries(profiles).map(([code, fault]) => [code, (id: Id) => input(id, fault)]));

/** How the codes of mutations of users are provoked. */
export const userRecipes: Recipes = {
  userAddFederatedIdentity: {
    IDENTITY_TAKEN: (id) => ({ id: id('User ann'), identityProviderAlias: 'partner', userId: '2' }),
  },
  userCreate: ofProfiles((id, fault) => ({ ...here(id), username: 'new', ...fault })),
  userSendActionsEmail: {
    EMAIL_MISSING: (id) => ({ id: id('User bob'), actions: ['VERIFY_EMAIL'] }),
    UNKNOWN_REQUIRED_ACTION: (id) => ({ id: id('User ann'), actions: ['NO_SUCH_ACTION'] }),
    USER_DISABLED: (id) => ({ id: id('User off'), actions: ['VERIFY_EMAIL'] }),
  },
  userSendVerifyEmail: {
    EMAIL_MISSING: (id) => ({ id: id('User bob') }),
    USER_DISABLED: (id) => ({ id: id('User off') }),
  },
  userSetPassword: { PASSWORD_POLICY: (id) => ({ id: id('User ann'), value: 'short' }) },
  userUpdate: {
    ...ofProfiles((id, fault) => ({ id: id('User ann'), ...fault })),
  },
  usersAddRoles: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), roles: [id('Role clerk')] }) },
  usersCreate: ofProfiles((id, fault) => users(id, { username: 'new', ...fault })),
  usersDelete: { REPEATED: (id) => ({ ...here(id), ids: twice(id, 'User ann') }) },
  usersDeleteMatching: { TOO_MANY: (id) => ({ ...here(id), filter: {}, limit: 1 }) },
  usersJoinGroups: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), groups: [id('Group free')] }) },
  usersLeaveGroups: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), groups: [id('Group free')] }) },
  usersRemoveRoles: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), roles: [id('Role clerk')] }) },
  usersUpdate: {
    ...ofProfiles((id, fault) => users(id, { id: id('User ann'), ...fault })),
    REPEATED: (id) => users(id, { id: id('User ann'), lastName: 'a' }, { id: id('User ann'), lastName: 'b' }),
  },
  usersUpdateMatching: {
    READ_ONLY: (id) => ({ ...here(id), filter: {}, limit: 9, changes: { setAttributes: protectedAttribute } }),
    TOO_MANY: (id) => ({ ...here(id), filter: {}, limit: 1, changes: { isEnabled: true } }),
    UNKNOWN_REQUIRED_ACTION: (id) => ({
      ...here(id),
      filter: {},
      limit: 9,
      changes: { addRequiredActions: ['NO_SUCH_ACTION'] },
    }),
  },
};
