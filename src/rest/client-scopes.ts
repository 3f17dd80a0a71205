import { createdAt, pathSegment } from '../http/answer.js';
import {
  addRealmScope,
  listClientScopes,
  listRealmScopes,
  removeRealmScope,
} from '../services/client-scopes/assignments.js';
import { assignedScopeView, clientScopeView, namedScopeView } from '../services/client-scopes/encode.js';
import {
  clientAsOwner,
  clientWithProtocol,
  realmScopeById,
  scopeAsOwner,
  scopeById,
} from '../services/client-scopes/locate.js';
import * as scopes from '../services/client-scopes/operations.js';
import type { Target } from '../services/core/target.js';
import { all } from './paging.js';
import { below, child, either, formerly, type Places } from './place.js';
import { inRealm, realm } from './realm.js';
import { del, get, getList, mergePatch, post, put } from './table.js';

const client = child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientWithProtocol(ctx, parent, id));

/** A client or client scope: what has protocol mappers and roles in its scope. */
export const scopeOwner = either(
  child(below(realm, '/client-scopes'), '/{id}', (ctx, parent, { id = '' }) => scopeAsOwner(ctx, parent, id)),
  child(formerly(realm, '/client-templates'), '/{id}', async (ctx, parent, { id = '' }) => ({
    ...(await scopeAsOwner(ctx, parent, id)),
    path: `client-templates/${id}`,
  })),
  child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientAsOwner(ctx, parent, id)),
);

/** One of the two lists of the realm and of its clients, and what is in the realm's. */
const assigned = (kind: 'default' | 'optional') => {
  const input = () => ({ optional: kind === 'optional' });
  const one = child(realm, `/default-${kind}-client-scopes/{clientScopeId}`, (ctx, parent, { clientScopeId = '' }) =>
    realmScopeById(ctx, parent, clientScopeId),
  );
  return [
    getList(below(inRealm, `/default-${kind}-client-scopes`), listRealmScopes, {
      full: assignedScopeView,
      paging: all,
      input,
    }),
    put(one, addRealmScope, { input }),
    del(one, removeRealmScope, { input }),
    getList(below(client, `/${kind}-client-scopes`), listClientScopes, { full: namedScopeView, paging: all, input }),
  ].flat();
};

/** The client scopes of a realm at one of their two addresses. */
const scopesAt = (segment: string, places: Places<Target>) => {
  const scope = child(places, '/{id}', (ctx, parent, { id = '' }) => scopeById(ctx, parent.realm, id));
  return [
    getList(places, scopes.listScopes, { full: clientScopeView, paging: all }),
    post(places, scopes.create, { status: 201, answer: ({ id }) => createdAt(`${segment}/${pathSegment(id)}`) }),
    get(scope, scopes.get, { view: clientScopeView }),
    put(scope, scopes.update),
    mergePatch(scope, scopes.patch),
    del(scope, scopes.remove),
  ].flat();
};

export const clientScopeRoutes = [
  scopesAt('client-scopes', below(inRealm, '/client-scopes')),
  scopesAt('client-templates', formerly(inRealm, '/client-templates')),
  assigned('default'),
  assigned('optional'),
].flat();
