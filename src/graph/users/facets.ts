import { permissionFor, viewPermission } from '../../services/core/allow.js';
import { byRealm } from '../../services/core/by-realm.js';
import { exactText } from '../../services/core/json.js';
import { overview } from '../../services/user-storage/overview.js';
import { noFacets, type UserFacets, userFacets } from '../../services/users/facets.js';
import { listUsers } from '../../services/users/list.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { requireNoNull } from '../core/filters.js';
import { filterCost } from '../core/list-cost.js';
import { permitById } from '../core/permits.js';
import { Realm } from '../realms/realms.js';
import { storageNode, UserStorage } from '../user-storage/storages.js';
import { userList } from './filter.js';
import { visibleUsers } from './visible-users.js';

const count = 'Number of users with this value.';

const FlagFacet = builder.objectRef<ReadonlyMap<boolean, number>>('FlagFacet').implement({
  description: 'Numbers of items for which something holds or not.',
  fields: (t) => ({
    yes: t.int({ description: 'Number of items for which it holds.', resolve: (counts) => counts.get(true) ?? 0 }),
    no: t.int({
      description: 'Number of items for which it does not hold.',
      resolve: (counts) => counts.get(false) ?? 0,
    }),
  }),
});

const ActionFacet = builder.objectRef<{ alias: string; count: number }>('RequiredActionFacet').implement({
  description: 'Number of users with a required action.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Alias of the required action.' }),
    count: t.exposeInt('count', { description: count }),
  }),
});

interface StorageFacetValue {
  id: string | null;
  realmId: string;
  count: number;
}

const StorageFacet = builder.objectRef<StorageFacetValue>('UserStorageFacet').implement({
  description: 'Number of users that come from a user storage, or from none.',
  fields: (t) => ({
    storage: t.prismaField({
      type: UserStorage,
      nullable: true,
      description: 'The user storage. Null for users of no storage.',
      requires: { operation: overview, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { id, realmId }, _args, ctx) => {
        if (id === null || !(await permitById(ctx, realmId)).can(permissionFor(overview))) return null;
        return batchingClient(ctx).component.findUnique({ ...query, where: { id } });
      },
    }),
    storageId: t.id({
      nullable: true,
      description: 'ID of the user storage. Null for users of no storage.',
      resolve: ({ id }) => storageNode(id ?? undefined),
    }),
    count: t.exposeInt('count', { description: count }),
  }),
});

/** The entries of counts, the largest first. */
const byCount = <K>(counts: ReadonlyMap<K, number>): [K, number][] =>
  [...counts].sort(([one, first], [other, second]) => second - first || (String(one) < String(other) ? -1 : 1));

const Facets = builder.objectRef<UserFacets & { realmId: string }>('UserFacets').implement({
  description: 'Numbers of users by their values, e.g. for the filters beside a list.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Number of users that match the filter.' }),
    isEnabled: t.field({
      type: FlagFacet,
      description: 'By whether users are enabled.',
      resolve: ({ enabled }) => enabled,
    }),
    isEmailVerified: t.field({
      type: FlagFacet,
      description: 'By whether email addresses are verified.',
      resolve: ({ emailVerified }) => emailVerified,
    }),
    requiredActions: t.field({
      type: [ActionFacet],
      description: 'By required action, the most frequent first. A user can have several.',
      resolve: ({ requiredActions }) => byCount(requiredActions).map(([alias, many]) => ({ alias, count: many })),
    }),
    storages: t.field({
      type: [StorageFacet],
      description: 'By the user storage that users come from, the most frequent first.',
      resolve: ({ storages, realmId }) => byCount(storages).map(([id, many]) => ({ id, realmId, count: many })),
    }),
  }),
});

const { filter } = userList.args;

builder.prismaObjectField(Realm, 'userFacets', (t) =>
  t.field({
    type: Facets,
    nullable: true,
    description: 'Numbers of users by their values. Users of a directory that were not imported yet are not counted.',
    requires: [
      listUsers,
      {
        operation: { name: listUsers.name, allow: viewPermission('users') },
        otherwise: 'FILTERED',
        isChecked: true,
      },
    ],
    args: { filter },
    complexity: ({ filter }) => ({ field: 10 + filterCost(filter), multiplier: 1 }),
    resolve: async ({ id: realmId }, args, ctx) => {
      requireNoNull(args.filter);
      // refuses invalid IDs
      userList.where(args);
      const matching = async (id: string) => {
        const filter = await userList.seen(ctx, id, args);
        return { AND: [await visibleUsers(ctx, id), userList.where({ filter })] };
      };
      const facets = byRealm(ctx, `facets of users ${exactText(args.filter ?? null)}`, async (ids) =>
        userFacets(ctx.db, await Promise.all(ids.map(matching))),
      );
      return { realmId, ...((await facets.load(realmId)) ?? noFacets()) };
    },
  }),
);
