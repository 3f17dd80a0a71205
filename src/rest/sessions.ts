import { json } from '../http/answer.js';
import { clientRefById } from '../services/clients/locate.js';
import type { Context } from '../services/core/context.js';
import { list } from '../services/core/shape.js';
import { offlineSessionsAt, sessionById } from '../services/sessions/locate.js';
import * as sessions from '../services/sessions/operations.js';
import { offlineUserSession, userSession } from '../services/sessions/representation.js';
import { userById, userRefById } from '../services/users/locate.js';
import { ClientSessionStats } from './answer-shapes.js';
import { all, each } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { flagParameter, type RestRequest } from './request.js';
import { del, get, getCount, getList, post } from './table.js';

const user = child(realm, '/users/{id}', (ctx: Context, parent, { id = '' }) => userById(ctx, parent, id));
const member = child(realm, '/users/{id}', (ctx: Context, parent, { id = '' }) => userRefById(ctx, parent, id));
const client = child(realm, '/clients/{id}', (ctx: Context, parent, { id = '' }) => clientRefById(ctx, parent, id));
/** The parameter `isOffline`, among those of the path: the ID of a session names an online and an offline one. */
const offlineKey = '?isOffline';
const session = child(
  realm,
  '/sessions/{session}',
  (ctx: Context, parent, { session: sid = '', [offlineKey]: offline }) =>
    sessionById(ctx, parent, sid, offline === 'true'),
);
const offline = child(member, '/offline-sessions/{clientUuid}', (ctx, target, { clientUuid = '' }) =>
  offlineSessionsAt(ctx, target, clientUuid),
);

const counted = { answer: (count: number) => ({ count }) };

export const sessionRoutes = [
  getList(below(member, '/sessions'), sessions.ofUser, { full: userSession, paging: all }),
  getList(offline, sessions.offlineOfUser, { full: offlineUserSession, paging: all }),
  post(below(user, '/logout'), sessions.logoutUser),
  getList(below(client, '/user-sessions'), sessions.ofClient, { full: userSession, paging: each(100) }),
  getList(below(client, '/offline-sessions'), sessions.offlineOfClient, { full: userSession, paging: each(100) }),
  getCount(below(client, '/session-count'), sessions.ofClient, counted),
  getCount(below(client, '/offline-session-count'), sessions.offlineOfClient, counted),
  get(below(inRealm, '/client-session-stats'), sessions.stats, {
    returns: list(ClientSessionStats),
    // numbers are texts in the contract
    answer: (clients) =>
      json(
        clients.map(({ id, clientId, active, offline: gone }) => ({
          id,
          clientId,
          active: String(active),
          offline: String(gone),
        })),
      ),
  }),
  del(session, sessions.end, { query: ['isOffline'] }).map((route) => ({
    ...route,
    handle: (request: RestRequest) => {
      const offline = flagParameter(request.query, 'isOffline') === true;
      return route.handle({ ...request, params: { ...request.params, [offlineKey]: String(offline) } });
    },
  })),
].flat();
