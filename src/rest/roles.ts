import { clientById } from '../services/clients/locate.js';
import { addComposites, listComposites, removeComposites } from '../services/roles/composites.js';
import { clientRoles, realmRoles, roleById, roleByName } from '../services/roles/locate.js';
import * as roles from '../services/roles/operations.js';
import { briefRole, fullRole } from '../services/roles/representation.js';
import { createdAt, pathSegment } from './answer.js';
import { all, togetherUnlessSearching } from './paging.js';
import { below, child, either } from './place.js';
import { realm } from './realm.js';
import type { RestRequest } from './request.js';
import { del, get, getList, post, put } from './table.js';

const container = either(
  child(realm, '/roles', (_ctx, parent) => realmRoles(parent)),
  child(realm, '/clients/{id}/roles', (ctx, parent, { id = '' }) => clientRoles(ctx, parent, id)),
);
const named = child(container, '/{role-name}', (ctx, parent, params) => roleByName(ctx, parent, params['role-name'] ?? ''));
const byId = child(realm, '/roles-by-id/{role-id}', (ctx, parent, params) => roleById(ctx, parent, params['role-id'] ?? ''));
const role = either(named, byId);
/** The client is looked for as well: an unknown one is a 404. */
const ofClient = child(role, '/composites/clients/{clientUuid}', async (ctx, parent, { clientUuid = '' }) => {
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
  get(role, roles.get, { view: fullRole }),
  put(role, roles.update),
  del(role, roles.remove),
  getList(below(role, '/composites'), listComposites, composites()),
  getList(below(role, '/composites/realm'), listComposites, composites(() => 'realm')),
  getList(ofClient, listComposites, composites(({ params }) => params.clientUuid)),
  post(below(role, '/composites'), addComposites),
  del(below(role, '/composites'), removeComposites),
].flat();
