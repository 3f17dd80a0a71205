import { createdAt, json, pathSegment } from '../http/answer.js';
import { fullClient } from '../services/clients/encode.js';
import { clientById, clientWithScope, fullClientById } from '../services/clients/locate.js';
import { registerNode, removeNode, testNodes } from '../services/clients/nodes.js';
import * as clients from '../services/clients/operations.js';
import { encodeWithToken, renewRegistrationToken } from '../services/clients/registration-token.js';
import { ClientRepresentation } from '../services/clients/representation.js';
import { assignScope, unassignScope } from '../services/clients/scopes.js';
import {
  encodeSecret,
  regenerateSecret,
  revokePreviousSecret,
  rotatedSecret,
  secret,
} from '../services/clients/secret-operations.js';
import { encodeServiceAccount, serviceAccount } from '../services/clients/service-account.js';
import { patch, update } from '../services/clients/update.js';
import { CredentialRepresentation, UserRepresentation } from '../services/users/representation.js';
import { GlobalRequestResult } from './answer-shapes.js';
import { each } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { flagParameter } from './request.js';
import { del, get, getList, mergePatch, post, put } from './table.js';

const one = child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => fullClientById(ctx, parent, id));
const client = child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientById(ctx, parent, id));
const node = child(realm, '/clients/{id}/nodes/{node}', async (ctx, parent, { id = '', node: name = '' }) => ({
  ...(await clientById(ctx, parent, id)),
  node: name,
}));
const withScope = (kind: 'default' | 'optional') =>
  child(realm, `/clients/{id}/${kind}-client-scopes/{clientScopeId}`, (ctx, parent, { id = '', clientScopeId = '' }) =>
    clientWithScope(ctx, parent, id, clientScopeId),
  );

const assigned = (optional: boolean) => ({ input: () => ({ optional }) });

export const oauthCallerRoutes = [
  getList(below(inRealm, '/clients'), clients.listClients, {
    full: fullClient,
    paging: each(),
    query: ['clientId', 'search', 'q', 'viewableOnly'],
    input: ({ query }) => ({
      clientId: query.get('clientId'),
      search: flagParameter(query, 'search'),
      q: query.get('q'),
    }),
  }),
  post(below(inRealm, '/clients'), clients.create, {
    status: 201,
    answer: ({ id }) => createdAt(`clients/${pathSegment(id)}`),
  }),
  get(one, clients.get, { view: fullClient }),
  put(one, update),
  mergePatch(one, patch),
  del(one, clients.remove),
  get(below(client, '/client-secret'), secret, {
    returns: CredentialRepresentation,
    answer: (found) => json(encodeSecret(found)),
  }),
  get(below(client, '/client-secret/rotated'), rotatedSecret, {
    returns: CredentialRepresentation,
    answer: (found) => json(encodeSecret(found)),
  }),
  del(below(client, '/client-secret/rotated'), revokePreviousSecret),
  post(below(client, '/client-secret'), regenerateSecret, {
    returns: CredentialRepresentation,
    answer: (made) => json(encodeSecret(made)),
  }),
  get(below(client, '/service-account-user'), serviceAccount, {
    returns: UserRepresentation,
    answer: (user) => json(encodeServiceAccount(user)),
  }),
  post(below(client, '/nodes'), registerNode),
  del(node, removeNode),
  get(below(client, '/test-nodes-available'), testNodes, { returns: GlobalRequestResult }),
  post(below(one, '/registration-access-token'), renewRegistrationToken, {
    returns: ClientRepresentation,
    answer: (renewed) => json(encodeWithToken(renewed)),
  }),
  put(withScope('default'), assignScope, assigned(false)),
  put(withScope('optional'), assignScope, assigned(true)),
  del(withScope('default'), unassignScope, assigned(false)),
  del(withScope('optional'), unassignScope, assigned(true)),
].flat();
