import { createdAt, pathSegment } from '../http/answer.js';
import * as defaults from '../services/groups/defaults.js';
import { childrenOf, defaultGroupById, groupById, groupByPath, topLevel } from '../services/groups/locate.js';
import { namedGroup } from '../services/groups/names.js';
import * as groups from '../services/groups/operations.js';
import { create, move } from '../services/groups/placing.js';
import {
  briefGroup,
  briefSubgroup,
  encodeFullGroup,
  fullGroup,
  fullSubgroup,
  GroupRepresentation,
  groupTree,
  groupWithAccess,
} from '../services/groups/representation.js';
import { briefUser, fullUser } from '../services/users/views.js';
import { CountRepresentation } from './answer-shapes.js';
import { all, each, togetherUnlessSearching } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { flagParameter, type RestRequest } from './request.js';
import { namedRole } from './roles.js';
import { del, get, getList, mergePatch, post, put, type Route } from './table.js';

const top = child(realm, '/groups', (_ctx, parent) => topLevel(parent));
const group = child(realm, '/groups/{id}', (ctx, parent, { id = '' }) => groupById(ctx, parent, id));
const children = child(group, '/children', (_ctx, parent) => childrenOf(parent));
const byPath = child(realm, '/group-by-path/{path*}', (ctx, parent, { path = '' }) => groupByPath(ctx, parent, path));
const asDefault = child(realm, '/default-groups/{groupId}', (ctx, parent, { groupId = '' }) =>
  defaultGroupById(ctx, parent, groupId),
);

const listed = { shape: GroupRepresentation, list: true };

/** One address of the contract does two things: a body with the id of a group moves that group, any other creates one. */
const createOrMove = (creating: Route[], moving: Route[]): Route[] =>
  creating.map((creation, index) => ({
    ...creation,
    async handle(request: RestRequest) {
      const body = request.body();
      const sent: unknown = await body.catch(() => undefined);
      const moves = typeof sent === 'object' && sent !== null && 'id' in sent && sent.id != null;
      return ((moves && moving[index]) || creation).handle({ ...request, body: () => body });
    },
  }));

/** The contract wants the name in every change, too. */
async function withName(request: RestRequest): Promise<unknown> {
  const body = await request.body();
  namedGroup((body as { name?: string } | null)?.name);
  return body;
}

/** Parameters that came with versions after 15, besides `q`. */
const newerFlags = ['exact', 'populateHierarchy', 'subGroupsCount'];

/** In version 15 `first` and `max` count only together without a search; the parameters of later versions are ways to search. */
const pageOfGroups = (query: URLSearchParams) =>
  ['q', ...newerFlags].some((name) => query.has(name)) ? each()(query) : togetherUnlessSearching(query);

export const groupRoutes = [
  get(below(inRealm, '/groups'), groups.hierarchy, {
    view: groupTree,
    query: ['search', 'first', 'max', 'briefRepresentation', 'q', ...newerFlags],
    input: ({ query }) => {
      const { skip, take } = pageOfGroups(query);
      const flags = newerFlags.map((name) => [name, flagParameter(query, name)]);
      return {
        search: query.get('search'),
        q: query.get('q'),
        ...Object.fromEntries(flags),
        skip,
        take,
        brief: flagParameter(query, 'briefRepresentation') ?? true,
      };
    },
  }).map((route) => ({ ...route, returns: listed })),
  get(below(inRealm, '/groups/count'), groups.count, {
    returns: CountRepresentation,
    query: ['search', 'top'],
    input: ({ query }) => ({ search: query.get('search'), top: flagParameter(query, 'top') }),
  }),
  createOrMove(
    post(top, create, { status: 201, answer: ({ id }) => createdAt(`groups/${pathSegment(id)}`) }),
    post(top, move),
  ),
  createOrMove(
    post(children, create, {
      status: 201,
      answer: (made) => createdAt(`groups/${pathSegment(made.id)}`, { ...encodeFullGroup(made), subGroups: [] }),
      returns: GroupRepresentation,
    }),
    post(children, move),
  ),
  getList(below(group, '/children'), groups.listChildren, {
    brief: briefSubgroup,
    full: fullSubgroup,
    briefByDefault: false,
    paging: each(10),
    query: ['search', 'exact'],
    input: ({ query }) => ({ search: query.get('search'), exact: flagParameter(query, 'exact') }),
  }),
  get(group, groups.get, { view: groupWithAccess }),
  put(group, groups.update, { input: withName, takes: 'json' }),
  mergePatch(group, groups.patch),
  del(group, groups.remove),
  getList(below(group, '/members'), groups.members, {
    brief: briefUser,
    full: fullUser,
    briefByDefault: false,
    paging: each(100),
  }),
  get(byPath, groups.get, { view: groupTree }),
  getList(below(inRealm, '/default-groups'), defaults.listDefaults, { full: briefGroup, paging: all }),
  put(asDefault, defaults.addDefault),
  del(asDefault, defaults.removeDefault),
  getList(below(namedRole, '/groups'), groups.ofRole, { brief: briefGroup, full: fullGroup, paging: each() }),
].flat();
