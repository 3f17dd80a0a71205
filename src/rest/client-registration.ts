import * as access from '../services/client-registration/initial-access.js';
import {
  ClientInitialAccessPresentation,
  encodeInitialAccess,
  initialAccessView,
} from '../services/client-registration/representation.js';
import { createdAt } from './answer.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { inRealm } from './realm.js';
import { del, getList, post } from './table.js';

const tokens = below(inRealm, '/clients-initial-access');
const token = child(tokens, '/{id}', (_ctx, parent, { id = '' }) => ({ ...parent, id }));

export const clientRegistrationRoutes = [
  getList(tokens, access.initialAccess, { full: initialAccessView, paging: all }),
  post(tokens, access.create, {
    returns: ClientInitialAccessPresentation,
    answer: (made) => ({
      ...createdAt(`clients-initial-access/${made.id}`),
      status: 200,
      body: { ...encodeInitialAccess(made), token: made.token },
    }),
  }),
  del(token, access.remove),
].flat();
