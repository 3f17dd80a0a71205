import { json } from '../http/answer.js';
import { inClient, inRealm, rolesOfGroup, rolesOfUser } from '../services/role-mappings/locate.js';
import { all as everything, listAvailable, listDirect, listEffective } from '../services/role-mappings/operations.js';
import { add, take } from '../services/role-mappings/writes.js';
import { encodeMappings, type MappedRole, MappingsRepresentation } from '../services/roles/mappings.js';
import { briefRole, fullRole } from '../services/roles/representation.js';
import { all } from './paging.js';
import { below, child, either, ofKind } from './place.js';
import { realm } from './realm.js';
import { optionalBody } from './request.js';
import { del, get, getList, post } from './table.js';

const owner = either(
  ofKind(
    ['user'],
    child(realm, '/users/{id}/role-mappings', (ctx, parent, { id = '' }) => rolesOfUser(ctx, parent, id)),
  ),
  ofKind(
    ['group'],
    child(realm, '/groups/{id}/role-mappings', (ctx, parent, { id = '' }) => rolesOfGroup(ctx, parent, id)),
  ),
);
const mappings = either(
  child(owner, '/realm', (_ctx, parent) => inRealm(parent)),
  child(owner, '/clients/{client}', (ctx, parent, { client = '' }) => inClient(ctx, parent, client)),
);
const brief = { full: briefRole, paging: all };

/** What users and groups have of roles. */
export const roleMappingRoutes = [
  get(owner, everything, {
    answer: (roles: MappedRole[]) => json(encodeMappings(roles)),
    returns: MappingsRepresentation,
  }),
  getList(mappings, listDirect, brief),
  post(mappings, add),
  del(mappings, take, { input: optionalBody, takes: 'optional json' }),
  getList(below(mappings, '/available'), listAvailable, brief),
  getList(below(mappings, '/composite'), listEffective, { brief: briefRole, full: fullRole, paging: all }),
].flat();
