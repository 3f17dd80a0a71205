import {
  assignedScopeView,
  clientScopeView,
  namedScopeView,
  protocolMapperView,
} from '../services/client-scopes/encode.js';
import { clientAsOwner, clientWithProtocol, scopeAsOwner, scopeById } from '../services/client-scopes/locate.js';
import * as scopes from '../services/client-scopes/operations.js';
import { encodeMappings, MappingsRepresentation } from '../services/roles/mappings.js';
import { json } from './answer.js';
import { all } from './paging.js';
import { below, child, either } from './place.js';
import { inRealm, realm } from './realm.js';
import { get, getList } from './table.js';

const scope = child(realm, '/client-scopes/{id}', (ctx, parent, { id = '' }) => scopeById(ctx, parent, id));
const client = child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientWithProtocol(ctx, parent, id));
const owner = either(
  child(realm, '/client-scopes/{id}', (ctx, parent, { id = '' }) => scopeAsOwner(ctx, parent, id)),
  child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientAsOwner(ctx, parent, id)),
);

const assigned = (optional: boolean) => ({ paging: all, input: () => ({ optional }) }) as const;

export const clientScopeRoutes = [
  getList(below(inRealm, '/client-scopes'), scopes.listScopes, { full: clientScopeView, paging: all }),
  get(scope, scopes.get, { view: clientScopeView }),
  getList(below(inRealm, '/default-default-client-scopes'), scopes.listRealmScopes, {
    full: assignedScopeView,
    ...assigned(false),
  }),
  getList(below(inRealm, '/default-optional-client-scopes'), scopes.listRealmScopes, {
    full: assignedScopeView,
    ...assigned(true),
  }),
  getList(below(client, '/default-client-scopes'), scopes.listClientScopes, {
    full: namedScopeView,
    ...assigned(false),
  }),
  getList(below(client, '/optional-client-scopes'), scopes.listClientScopes, {
    full: namedScopeView,
    ...assigned(true),
  }),
  getList(below(owner, '/protocol-mappers/models'), scopes.listMappers, { full: protocolMapperView, paging: all }),
  get(below(owner, '/scope-mappings'), scopes.scopeMappings, {
    returns: MappingsRepresentation,
    answer: (roles) => json(encodeMappings(roles)),
  }),
].flat();
