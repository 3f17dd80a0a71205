import { createdAt, pathSegment } from '../http/answer.js';
import { protocolMapperView } from '../services/client-scopes/encode.js';
import { mapperById } from '../services/protocol-mappers/locate.js';
import * as mappers from '../services/protocol-mappers/operations.js';
import { scopeOwner } from './client-scopes.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { del, get, getList, mergePatch, post, put } from './table.js';

const models = below(scopeOwner, '/protocol-mappers/models');
const mapper = child(models, '/{mapperId}', (ctx, owner, { mapperId = '' }) => mapperById(ctx, owner, mapperId));

/** The protocol mappers of clients and client scopes. */
export const protocolMapperRoutes = [
  getList(models, mappers.listMappers, { full: protocolMapperView, paging: all }),
  getList(below(scopeOwner, '/protocol-mappers/protocol/{protocol}'), mappers.listMappers, {
    full: protocolMapperView,
    paging: all,
    input: ({ params }) => ({ protocol: params.protocol }),
  }),
  post(models, mappers.create, {
    status: 201,
    answer: ({ id }, _request, { path }) => createdAt(`${path}/protocol-mappers/models/${pathSegment(id)}`),
  }),
  post(below(scopeOwner, '/protocol-mappers/add-models'), mappers.createMany),
  get(mapper, mappers.get, { view: protocolMapperView }),
  put(mapper, mappers.update),
  mergePatch(mapper, mappers.patch),
  del(mapper, mappers.remove),
].flat();
