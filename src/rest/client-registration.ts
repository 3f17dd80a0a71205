import { createdAt } from '../http/answer.js';
import { convert } from '../services/client-registration/description.js';
import * as access from '../services/client-registration/initial-access.js';
import { policyTypes } from '../services/client-registration/policy-types.js';
import {
  ClientInitialAccessPresentation,
  ComponentTypeRepresentation,
  encodeInitialAccess,
  initialAccessView,
} from '../services/client-registration/representation.js';
import { ClientRepresentation } from '../services/clients/representation.js';
import { list } from '../services/core/shape.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { inRealm } from './realm.js';
import { del, get, getList, post, postToRead } from './table.js';

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
  get(below(inRealm, '/client-registration-policy/providers'), policyTypes, {
    returns: list(ComponentTypeRepresentation),
  }),
  postToRead(below(inRealm, '/client-description-converter'), convert, {
    returns: ClientRepresentation,
    input: async ({ text }) => ({ document: await text('application/json', 'application/xml', 'text/plain') }),
  }),
].flat();
