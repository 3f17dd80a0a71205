import { createdAt, json, pathSegment, tagged } from '../http/answer.js';
import { list } from '../services/core/shape.js';
import { apply, plan } from '../services/realms/desired/operations.js';
import { encodeApplied, encodePlan } from '../services/realms/desired/representation.js';
import { wholeExport } from '../services/realms/export/whole.js';
import { listRealms } from '../services/realms/list.js';
import {
  create,
  get as getRealm,
  masterTarget,
  patch,
  realmTarget,
  remove,
  update,
} from '../services/realms/operations.js';
import { RealmRepresentation } from '../services/realms/representation.js';
import { RealmApplied, RealmPlan } from './answer-shapes.js';
import { first, max } from './paging.js';
import { at, below, child } from './place.js';
import { realm } from './realm.js';
import { flagParameter } from './request.js';
import { del, get, mergePatch, post, postToRead, put } from './table.js';

/** Where realms are created: `POST /`, or `POST /auth/admin/realms`. */
const server = at('/', masterTarget).map((place) => ({ ...place, admin: '/realms' }));
/** The list of realms, which only existing tools know. */
const listed = at('', masterTarget).map((place) => ({ ...place, admin: '/realms' }));
const one = child(realm, '', (_ctx, found) => realmTarget(found));

export const realmRoutes = [
  post(server, create, {
    status: 201,
    large: true,
    takes: 'json',
    input: (request) => request.file('users'),
    answer: ({ name }) => createdAt(`/${pathSegment(name)}`),
  }),
  get(listed, listRealms, {
    query: ['first', 'max', 'briefRepresentation'],
    returns: list(RealmRepresentation),
    input: ({ query }) => ({
      first: first(query),
      max: max(query),
      brief: flagParameter(query, 'briefRepresentation'),
    }),
    answer: (realms) => json(realms),
  }),
  get(one, getRealm, {
    returns: RealmRepresentation,
    answer: ({ representation, version }) => tagged(json(representation), version),
  }),
  get(below(one, '/export'), wholeExport, {
    query: ['users', 'secrets'],
    returns: RealmRepresentation,
    input: ({ query }) => ({ users: flagParameter(query, 'users'), secrets: flagParameter(query, 'secrets') }),
    answer: (stream) => ({ status: 200, stream }),
  }),
  postToRead(below(one, '/plan'), plan, {
    large: true,
    takes: 'json',
    returns: RealmPlan,
    input: (request) => request.body(),
    answer: (planned) => json(encodePlan(planned)),
  }),
  post(below(one, '/apply'), apply, {
    large: true,
    returns: RealmApplied,
    answer: (applied) => json(encodeApplied(applied)),
  }),
  put(one, update),
  mergePatch(one, patch),
  del(one, remove),
].flat();
