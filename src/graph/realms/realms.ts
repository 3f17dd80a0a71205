import { queryFromInfo } from '@pothos/plugin-prisma';
import { type Allowing, permissionFor } from '../../services/core/allow.js';
import type { Context } from '../../services/core/context.js';
import { permitFor } from '../../services/core/permit.js';
import { Refusal } from '../../services/core/refusal.js';
import { realmByName } from '../../services/realms/locate.js';
import * as realms from '../../services/realms/operations.js';
import { type Permits, visibleAmong, visibleRealms } from '../../services/realms/visible.js';
import { builder } from '../core/builder.js';
import { connectionOf, connectionType, nodePaths, pageArgs } from '../core/connection.js';
import { requireNoNull } from '../core/filters.js';
import { listCost } from '../core/list-cost.js';
import { listType, onOptionalText, onText, testsAny, whether } from '../core/list-type.js';
import { guardNode } from '../core/node.js';
import { optionalText } from '../core/optional-text.js';
import { type Page, pageOf } from '../core/page.js';
import { permitById } from '../core/permits.js';
import { settingGroups } from './settings.js';
import { readGroup } from './translation.js';
import { groupType, RealmAttribute } from './types.js';

type Settings = Readonly<Record<string, unknown>>;

export const Realm = builder.prismaNode('Realm', {
  id: { field: 'id' },
  select: { id: true },
  description: 'A realm: a tenant with its own users, clients, and settings, isolated from other realms.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique name of the realm. Part of its URLs.' }),
    isEnabled: t.boolean({
      nullable: true,
      description: 'Whether the realm is enabled. Nobody can log in to a disabled realm.',
      requires: { operation: realms.settings, otherwise: 'NULL' },
      select: { enabled: true },
      resolve: ({ enabled }) => enabled,
    }),
    displayName: t.string({
      ...optionalText('displayName', 'Display name of the realm on pages and in emails.'),
      requires: { operation: realms.settings, otherwise: 'NULL' },
    }),
    version: t.int({
      nullable: true,
      description: 'Version of the realm. Increases by one with every change. Pass it as `expectedVersion`.',
      requires: { operation: realms.settings, otherwise: 'NULL' },
      select: { version: true },
      resolve: ({ version }) => version,
    }),
    displayNameHtml: t.string({
      nullable: true,
      description: 'Display name of the realm on pages, as HTML.',
      requires: realms.settings,
      select: { settings: true },
      resolve: ({ settings }) => ((settings as Settings).displayNameHtml as string) || null,
    }),
    attributes: t.field({
      type: [RealmAttribute],
      nullable: true,
      description: 'Custom attributes, ordered by name.',
      requires: realms.settings,
      select: { attributes: true },
      resolve: ({ attributes }) =>
        Object.entries(attributes as Record<string, string>)
          .map(([name, value]) => ({ name, value }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }),
    ...Object.fromEntries(
      settingGroups.map((group) => [
        group.name,
        t.field({
          type: groupType(group),
          nullable: true,
          description: group.description,
          requires: realms.settings,
          select: { settings: true, attributes: true, smtpPassword: true },
          resolve: ({ settings, attributes, smtpPassword }) =>
            readGroup(group, { ...(settings as Settings), attributes }, { password: smtpPassword !== null }),
        }),
      ]),
    ),
  }),
});

guardNode(Realm, realms.name);

builder.queryField('realm', (t) =>
  t.prismaField({
    type: Realm,
    nullable: true,
    description: 'The realm with this name. Null if it does not exist.',
    requires: { operation: realms.name, otherwise: 'NULL', isChecked: true },
    args: { name: t.arg.string({ required: true, description: 'Name of the realm.' }) },
    resolve: async (query, _root, { name }, ctx) => {
      try {
        const realm = await realmByName(ctx, name);
        const permit = await permitFor(ctx, realm);
        if (!permit.can(permissionFor(realms.name))) return null;
        return ctx.db.realm.findUnique({ ...query, where: { id: realm.id } });
      } catch (error) {
        if (error instanceof Refusal && error.kind === 'notFound') return null;
        throw error;
      }
    },
  }),
);

const realmList = listType({
  name: 'Realm',
  plural: 'realms',
  conditions: {
    name: onText('name', 'Condition on the name.'),
    displayName: onOptionalText('displayName', 'Condition on the display name.'),
    isEnabled: whether('Matches realms that are (true) or are not (false) enabled.', (enabled) => ({ enabled })),
  },
  orders: {
    NAME: { path: 'name', description: 'Order by name.' },
    DISPLAY_NAME: { path: 'displayName', isNullable: true, description: 'Order by display name.' },
  },
});

/** Fields that only callers who may view the settings of a realm can use. */
const settings = ['displayName', 'isEnabled'];

/**
 * Caches the permits in these realms for the request. Returns the realms in which the caller may perform the operation.
 */
async function seen(ctx: Context, permits: Permits, operation: Allowing): Promise<string[]> {
  // first, because the caller's own realm may grant more than roles of its administration client
  await permitById(ctx, ctx.caller.realmId);
  for (const [id, permit] of permits) if (!ctx.permits.has(id)) ctx.permits.set(id, permit);
  return [...permits].filter(([, permit]) => permit.can(permissionFor(operation))).map(([id]) => id);
}

builder.queryField('realms', (t) =>
  t.field({
    type: connectionType('Realm', Realm),
    nullable: true,
    description:
      'Realms the caller may view. A filter or order by display name or `isEnabled` leaves out realms whose settings the caller may not view.',
    requires: { operation: realms.name, otherwise: 'EMPTY', isChecked: true },
    args: { ...pageArgs, ...realmList.args },
    complexity: listCost,
    resolve: async (_root, { filter, orderBy, ...args }, ctx, info) => {
      requireNoNull(filter);
      const matching = realmList.where({ filter });
      const isBySettings = orderBy?.field === 'DISPLAY_NAME' || testsAny(filter, settings);
      const shows = isBySettings ? realms.settings : realms.name;
      const visible = async () => ({
        AND: [{ id: { in: await seen(ctx, await visibleRealms(ctx), shows) } }, matching],
      });
      const order = realmList.order({ orderBy }) ?? [{ path: 'name' }, { path: 'id' }];
      const { select } = queryFromInfo({ context: ctx, info, paths: nodePaths, typeName: 'Realm' }) as {
        select?: object;
      };
      const find = (page: Page) =>
        ctx.db.realm.findMany({ ...page.args, select: { id: true, ...page.select, ...select } });
      // most administrators see either every realm or few: the page is first tried as for all realms
      let page = pageOf('Realm', args, order, matching);
      let rows = await find(page);
      const ids = rows.map(({ id }) => id);
      const among = new Set(await seen(ctx, await visibleAmong(ctx, ids), shows));
      if (!ids.every((id) => among.has(id))) {
        page = pageOf('Realm', args, order, await visible());
        rows = await find(page);
      }
      return connectionOf(
        page,
        rows,
        (row) => row,
        async () => ctx.db.realm.count({ where: await visible() }),
      );
    },
  }),
);
