import type { Answer } from '../http/answer.js';
import { notFound } from '../services/core/refusal.js';
import { bulkAnswer } from './bulk.js';
import { resourceTypesAnswer, schemasAnswer, serviceProviderConfig } from './discovery.js';
import { findRoute, type Handle, type ScimRoute } from './find-route.js';
import * as groups from './groups.js';
import type { ScimRequest } from './request.js';
import { answering, searchAnswer } from './search.js';
import * as users from './users.js';

const route = (method: string, path: string, name: string, handle: Handle): ScimRoute => ({
  method,
  path,
  name: `scim.${name}`,
  handle,
});

/** Runs a request for the user of the access token. A caller of another realm is no user of this one. */
const asMe =
  (handle: Handle): Handle =>
  async (request) => {
    const { userId, realmName } = request.ctx.caller;
    if (realmName !== request.realmName) throw notFound('The caller is not a user of the realm');
    return handle({ ...request, id: userId });
  };

const listUsers = answering(users.readUsers);
const listGroups = answering(groups.readGroups);

/** Runs a query whose parameters are in the body. */
const searched =
  (list: (request: ScimRequest, sent: unknown) => Promise<Answer>): Handle =>
  async (request) =>
    list(request, await request.body());

const resourceRoutes: readonly ScimRoute[] = [
  route('GET', '/Users', 'user.list', (request) => listUsers(request)),
  route('POST', '/Users', 'user.create', users.createUserAnswer),
  route('POST', '/Users/.search', 'user.search', searched(listUsers)),
  route('GET', '/Users/{id}', 'user.get', users.getUserAnswer),
  route('PUT', '/Users/{id}', 'user.replace', users.replaceUserAnswer),
  route('PATCH', '/Users/{id}', 'user.patch', users.patchUserAnswer),
  route('DELETE', '/Users/{id}', 'user.delete', users.removeUserAnswer),
  route('GET', '/Groups', 'group.list', (request) => listGroups(request)),
  route('POST', '/Groups', 'group.create', groups.createGroupAnswer),
  route('POST', '/Groups/.search', 'group.search', searched(listGroups)),
  route('GET', '/Groups/{id}', 'group.get', groups.getGroupAnswer),
  route('PUT', '/Groups/{id}', 'group.replace', groups.replaceGroupAnswer),
  route('PATCH', '/Groups/{id}', 'group.patch', groups.patchGroupAnswer),
  route('DELETE', '/Groups/{id}', 'group.delete', groups.removeGroupAnswer),
  route('POST', '/.search', 'search', searchAnswer),
  route('GET', '/Me', 'me.get', asMe(users.getUserAnswer)),
  route('PUT', '/Me', 'me.replace', asMe(users.replaceUserAnswer)),
  route('PATCH', '/Me', 'me.patch', asMe(users.patchUserAnswer)),
  route('DELETE', '/Me', 'me.delete', asMe(users.removeUserAnswer)),
];

/** The whole table. */
export const scimRoutes: readonly ScimRoute[] = [
  ...resourceRoutes,
  route('GET', '/ServiceProviderConfig', 'config', serviceProviderConfig),
  route('GET', '/ResourceTypes', 'resourceType.list', resourceTypesAnswer),
  route('GET', '/ResourceTypes/{id}', 'resourceType.get', resourceTypesAnswer),
  route('GET', '/Schemas', 'schema.list', schemasAnswer),
  route('GET', '/Schemas/{id}', 'schema.get', schemasAnswer),
  route('POST', '/Bulk', 'bulk', (request) => bulkAnswer(request, findRoute(resourceRoutes))),
];
