import { longName, realm } from '../world.js';
import { here, type Id, type Recipes, twice } from './recipe.js';

const groups = (id: Id, ...given: object[]) => ({ ...here(id), groups: given });
const roles = (id: Id, ...given: object[]) => ({ ...here(id), roles: given });

/** How the codes of mutations of groups and roles are provoked. */
export const groupAndRoleRecipes: Recipes = {
  groupAddMembers: { REPEATED: (id) => ({ id: id('Group free'), users: twice(id, 'User ann') }) },
  groupCreate: {
    LIMIT_REACHED: (id) => ({ parent: id('Group deepest'), name: longName }),
    NAME_INVALID: (id) => ({ parent: id(`Realm ${realm}`), name: '' }),
    NAME_TAKEN: (id) => ({ parent: id(`Realm ${realm}`), name: 'staff' }),
  },
  groupMove: {
    CYCLE: (id) => ({ id: id('Group staff'), parent: id('Group staff inner') }),
    LIMIT_REACHED: (id) => ({ id: id(`Group ${longName}n`), parent: id('Group deepest') }),
    NAME_TAKEN: (id) => ({ id: id('Group staff inner'), parent: id('Group other') }),
  },
  groupRemoveMembers: { REPEATED: (id) => ({ id: id('Group free'), users: twice(id, 'User ann') }) },
  groupUpdate: {
    LIMIT_REACHED: (id) => ({ id: id('Group leaf'), name: longName }),
    NAME_INVALID: (id) => ({ id: id('Group free'), name: '' }),
    NAME_TAKEN: (id) => ({ id: id('Group free'), name: 'staff' }),
  },
  groupsAddRoles: {
    REPEATED: (id) => ({ ...here(id), groups: twice(id, 'Group free'), roles: [id('Role clerk')] }),
  },
  groupsCreate: {
    LIMIT_REACHED: (id) => groups(id, { parent: id('Group deepest'), name: longName }),
    NAME_INVALID: (id) => groups(id, { parent: id('Group free'), name: '' }),
    NAME_TAKEN: (id) => groups(id, { parent: id('Group staff'), name: 'inner' }),
  },
  groupsDelete: { REPEATED: (id) => ({ ...here(id), ids: twice(id, 'Group free') }) },
  groupsMove: {
    CYCLE: (id) => ({ ids: [id('Group staff')], parent: id('Group staff inner') }),
    LIMIT_REACHED: (id) => ({ ids: [id(`Group ${longName}n`)], parent: id('Group deepest') }),
    NAME_TAKEN: (id) => ({ ids: [id('Group staff inner')], parent: id('Group other') }),
    REPEATED: (id) => ({ ids: twice(id, 'Group free'), parent: id('Group other') }),
  },
  groupsRemoveRoles: {
    REPEATED: (id) => ({ ...here(id), groups: twice(id, 'Group free'), roles: [id('Role clerk')] }),
  },
  groupsUpdate: {
    LIMIT_REACHED: (id) => groups(id, { id: id('Group leaf'), name: longName }),
    NAME_INVALID: (id) => groups(id, { id: id('Group free'), name: '' }),
    NAME_TAKEN: (id) => groups(id, { id: id('Group free'), name: 'staff' }),
    REPEATED: (id) => groups(id, { id: id('Group free'), name: 'a' }, { id: id('Group free'), name: 'b' }),
  },
  roleCreate: { NAME_TAKEN: (id) => ({ container: id(`Realm ${realm}`), name: 'clerk' }) },
  roleDelete: {
    ADMINISTRATION: (id) => ({ id: id('Role of master admin') }),
    DEFAULT_ROLE: (id) => ({ id: id(`Role default-roles-${realm}`) }),
  },
  roleRemoveComposites: {
    ADMINISTRATION: (id) => ({ id: id('Role of master admin'), roles: [id('Role of master create-realm')] }),
  },
  roleUpdate: {
    ADMINISTRATION: (id) => ({ id: id('Role of master admin'), name: 'renamed' }),
    NAME_TAKEN: (id) => ({ id: id('Role clerk'), name: 'writer' }),
  },
  rolesCreate: { NAME_TAKEN: (id) => roles(id, { container: id(`Realm ${realm}`), name: 'clerk' }) },
  rolesDelete: {
    ADMINISTRATION: (id) => ({ realm: id('Realm master'), ids: [id('Role of master admin')] }),
    DEFAULT_ROLE: (id) => ({ ...here(id), ids: [id(`Role default-roles-${realm}`)] }),
    REPEATED: (id) => ({ ...here(id), ids: twice(id, 'Role clerk') }),
  },
  rolesUpdate: {
    ADMINISTRATION: (id) => ({
      realm: id('Realm master'),
      roles: [{ id: id('Role of master admin'), name: 'renamed' }],
    }),
    NAME_TAKEN: (id) => roles(id, { id: id('Role clerk'), name: 'writer' }),
    REPEATED: (id) => roles(id, { id: id('Role clerk'), name: 'a' }, { id: id('Role clerk'), name: 'b' }),
  },
};
