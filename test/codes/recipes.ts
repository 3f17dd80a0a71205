import { authenticationRecipes } from './recipes/authentication.js';
import { clientRecipes } from './recipes/clients.js';
import { groupAndRoleRecipes } from './recipes/groups-and-roles.js';
import { realmRecipes } from './recipes/realms.js';
import type { Recipes } from './recipes/recipe.js';
import { userRecipes } from './recipes/users.js';

/** How each code is provoked that a mutation declares besides those of all mutations. */
export const recipes: Recipes = {
  ...authenticationRecipes,
  ...clientRecipes,
  ...groupAndRoleRecipes,
  ...realmRecipes,
  ...userRecipes,
};

/** Mutations whose `READ_ONLY` comes of a directory that refuses the change: tests of directories provoke it. */
export const ofDirectories: readonly string[] = [
  'groupAddMembers',
  'groupRemoveMembers',
  'userSetPassword',
  'usersAddRoles',
  'usersDelete',
  'usersDeleteMatching',
  'usersJoinGroups',
  'usersLeaveGroups',
  'usersRemoveRoles',
];
