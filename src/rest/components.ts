import { createdAt, pathSegment } from '../http/answer.js';
import { ComponentTypeRepresentation } from '../services/client-registration/representation.js';
import { componentView } from '../services/components/encode.js';
import { componentById } from '../services/components/locate.js';
import * as components from '../services/components/operations.js';
import { create, patch, remove, update } from '../services/components/write.js';
import { list } from '../services/core/shape.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { del, get, getList, mergePatch, post, put } from './table.js';

const component = child(realm, '/components/{id}', (ctx, parent, { id = '' }) => componentById(ctx, parent, id));

const parent = child(realm, '/components/{id}/sub-component-types', (ctx, found, { id = '' }) =>
  componentById(ctx, found, id, 'Could not find parent component'),
);

export const componentRoutes = [
  getList(below(inRealm, '/components'), components.listComponents, {
    full: componentView,
    paging: all,
    query: ['parent', 'type', 'name'],
    input: ({ query }) => ({ parent: query.get('parent'), type: query.get('type'), name: query.get('name') }),
  }),
  post(below(inRealm, '/components'), create, {
    status: 201,
    answer: ({ id }) => createdAt(`components/${pathSegment(id)}`),
  }),
  get(parent, components.subTypes, {
    returns: list(ComponentTypeRepresentation),
    query: ['type'],
    input: ({ query }) => ({ type: query.get('type') }),
  }),
  get(component, components.get, { view: componentView }),
  put(component, update),
  mergePatch(component, patch),
  del(component, remove),
].flat();
