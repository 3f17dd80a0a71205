import { json } from '../http/answer.js';
import { encodeMappings, MappingsRepresentation } from '../services/roles/mappings.js';
import { briefRole, fullRole } from '../services/roles/representation.js';
import { inClient, inRealm } from '../services/scope-mappings/locate.js';
import { all as everything, listAvailable, listDirect, listEffective } from '../services/scope-mappings/operations.js';
import { add, remove } from '../services/scope-mappings/writes.js';
import { scopeOwner } from './client-scopes.js';
import { all } from './paging.js';
import { below, child, either } from './place.js';
import { optionalBody } from './request.js';
import { del, get, getList, post } from './table.js';

const owner = below(scopeOwner, '/scope-mappings');
const mappings = either(
  child(owner, '/realm', (_ctx, parent) => inRealm(parent)),
  child(owner, '/clients/{client}', (ctx, parent, { client = '' }) => inClient(ctx, parent, client)),
);
const brief = { full: briefRole, paging: all };

/** The roles in the scope of clients and client scopes. */
export const scopeMappingRoutes = [
  get(owner, everything, { returns: MappingsRepresentation, answer: (roles) => json(encodeMappings(roles)) }),
  getList(mappings, listDirect, brief),
  post(mappings, add),
  del(mappings, remove, { input: optionalBody, takes: 'optional json' }),
  getList(below(mappings, '/available'), listAvailable, brief),
  getList(below(mappings, '/composite'), listEffective, { brief: briefRole, full: fullRole, paging: all }),
].flat();
