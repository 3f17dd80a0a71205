import { createdAt, pathSegment } from '../http/answer.js';
import { clientById } from '../services/clients/locate.js';
import { addComposites, listComposites, removeComposites } from '../services/roles/composites.js';
import { clientRoles, realmRoles, roleById, roleByName } from '../services/roles/locate.js';
import * as roles from '../services/roles/operations.js';
import { briefRole, fullRole } from '../services/roles/representation.js';
import { all, each, togetherUnlessSearching } from './paging.js';
import { below, child, either, ofKind } from './place.js';
import { realm } from './realm.js';
import type { RestRequest } from './request.js';
import { del, get, getList, mergePatch, post, put } from './table.js';

const container = either(
  ofKind(
    ['realm role'],
    child(realm, '/roles', (_ctx, parent) => realmRoles(parent)),
  ),
  ofKind(
    ['client role'],
    child(realm, '/clients/{id}/roles', (ctx, parent, { id = '' }) => clientRoles(ctx, parent, id)),
  ),
);
export const namedRole = child(container, '/{role-name}', (ctx, parent, params) =>
  roleByName(ctx, parent, params['role-name'] ?? ''),
);
const byId = ofKind(
  ['realm role', 'client role'],
  child(realm, '/roles-by-id/{role-id}', (ctx, parent, params) => roleById(ctx, parent, params['role-id'] ?? '')),
);
/** A role wherever it can be addressed. */
export const anyRole = either(namedRole, byId);
/** Locates a role for a write: callers who may not change roles do not learn whether the role exists. */
const changeable = either(
  child(container, '/{role-name}', (ctx, parent, params) => roleByName(ctx, parent, params['role-name'] ?? '', true)),
  byId,
);
/** The client is looked for as well: an unknown one is a 404. */
const ofClient = child(anyRole, '/composites/clients/{clientUuid}', async (ctx, parent, { clientUuid = '' }) => {
  await clientById(ctx, parent.realm, clientUuid);
  return parent;
});

const composites = (of?: (request: RestRequest) => string | undefined) =>
  ({ full: briefRole, paging: all, input: (request: RestRequest) => ({ of: of?.(request) }) }) as const;

export const roleRoutes = [
  getList(container, roles.listRoles, {
    brief: briefRole,
    full: fullRole,
    paging: togetherUnlessSearching,
    query: ['search'],
    input: ({ query }) => ({ search: query.get('search') ?? undefined }),
  }),
  post(container, roles.create, {
    status: 201,
    answer: ({ name }, _request, { path }) => createdAt(`${path}/${pathSegment(name)}`),
  }),
  get(anyRole, roles.get, { view: fullRole }),
  put(changeable, roles.update),
  mergePatch(changeable, roles.patch),
  del(changeable, roles.remove),
  getList(below(namedRole, '/composites'), listComposites, composites()),
  getList(below(byId, '/composites'), listComposites, {
    full: briefRole,
    paging: each(),
    query: ['search'],
    input: ({ query }) => ({ search: query.get('search') }),
  }),
  getList(
    below(anyRole, '/composites/realm'),
    listComposites,
    composites(() => 'realm'),
  ),
  getList(
    ofClient,
    listComposites,
    composites(({ params }) => params.clientUuid),
  ),
  post(below(changeable, '/composites'), addComposites),
  del(below(changeable, '/composites'), removeComposites),
].flat();
