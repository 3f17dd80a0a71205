import { clientById } from '../services/clients/locate.js';
import { rolesInScopeOf } from '../services/evaluate-scopes/locate.js';
import * as evaluate from '../services/evaluate-scopes/operations.js';
import { ProtocolMapperEvaluation } from '../services/evaluate-scopes/representation.js';
import { briefRole } from '../services/roles/representation.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { realm } from './realm.js';
import type { RestRequest } from './request.js';
import { get, getList } from './table.js';
import { AccessToken, IDToken, UserInfo } from './token-shapes.js';

const client = child(realm, '/clients/{id}/evaluate-scopes', (ctx, parent, { id = '' }) => clientById(ctx, parent, id));
const roles = child(
  realm,
  '/clients/{id}/evaluate-scopes/scope-mappings/{roleContainerId}',
  (ctx, parent, { id = '', roleContainerId = '' }) => rolesInScopeOf(ctx, parent, id, roleContainerId),
);

const scope = { query: ['scope'], input: ({ query }: RestRequest) => ({ scope: query.get('scope') }) };
const forUser = {
  query: ['scope', 'userId'],
  input: ({ query }: RestRequest) => ({ scope: query.get('scope'), userId: query.get('userId') }),
};

/** What client scopes do to the tokens of a client. */
export const evaluateScopesRoutes = [
  get(below(client, '/protocol-mappers'), evaluate.mappersInEffect, {
    ...scope,
    returns: ProtocolMapperEvaluation.array(),
  }),
  getList(below(roles, '/granted'), evaluate.granted, { ...scope, full: briefRole, paging: all }),
  getList(below(roles, '/not-granted'), evaluate.notGranted, { ...scope, full: briefRole, paging: all }),
  get(below(client, '/generate-example-access-token'), evaluate.accessToken, { ...forUser, returns: AccessToken }),
  get(below(client, '/generate-example-id-token'), evaluate.idToken, { ...forUser, returns: IDToken }),
  get(below(client, '/generate-example-userinfo'), evaluate.userInfo, { ...forUser, returns: UserInfo }),
].flat();
