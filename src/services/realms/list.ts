import { z } from 'zod';
import { permissionFor } from '../core/allow.js';
import type { Context } from '../core/context.js';
import { read } from '../core/operation.js';
import { forbidden } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { defaultRoleSelect, encodeRealm, wholeRealmSelect } from './encode.js';
import { settings, type WholeRealm } from './operations.js';
import { isRemoved } from './store.js';
import { type Permits, visibleAmong, visibleRealms } from './visible.js';

interface Page {
  /** how many realms are skipped, in the order of their names */
  first?: number | undefined;
  /** maximum number of realms; undefined for all */
  max?: number | undefined;
}

/** Maximum end of a page that is found without the rights in all realms. */
const farthest = 500;

/**
 * The IDs of the realms of a page, with the permits of the caller. Most administrators see every realm. Then the rights
 * in the realms up to the end of the page are enough, regardless of the number of realms after it.
 */
async function pageOf(ctx: Context, { first = 0, max }: Page): Promise<{ ids: string[]; permits: Permits }> {
  const order = { orderBy: { name: 'asc' }, select: { id: true, name: true } } as const;
  if (max !== undefined && first + max <= farthest) {
    const rows = await ctx.db.realm.findMany({ ...order, take: first + max });
    const ids = rows.map(({ id }) => id);
    const permits = await visibleAmong(ctx, ids);
    if (rows.length > 0 && rows.every((row) => permits.has(row.id) && !isRemoved(row)))
      return { ids: ids.slice(first), permits };
  }
  const permits = await visibleRealms(ctx);
  if (permits.size === 0) throw forbidden();
  if (max === undefined && first === 0) return { ids: [...permits.keys()], permits };
  const rows = await ctx.db.realm.findMany({
    ...order,
    where: { id: { in: [...permits.keys()] } },
    skip: first,
    ...(max !== undefined && { take: max }),
  });
  return { ids: rows.map(({ id }) => id), permits };
}

const briefFields = ['id', 'realm', 'displayName', 'displayNameHtml', 'enabled'];

/** The brief form of versions after 15. */
const briefRealm = (realm: WholeRealm): Partial<WholeRealm> =>
  Object.fromEntries(Object.entries(realm).filter(([name]) => briefFields.includes(name)));

export const listRealms = read({
  name: 'realm.list',
  summary: 'Returns the realms that the caller administers, with the settings the caller may view.',
  input: z.object({ first: z.int().optional(), max: z.int().optional(), brief: z.boolean().optional() }),
  // any caller may request this; the visible realms depend on the roles in each realm
  allow: 'any:caller',
  run: async (ctx, _target: Target, page): Promise<Partial<WholeRealm>[]> => {
    const { ids, permits } = await pageOf(ctx, page);
    const realms = await ctx.db.realm.findMany({
      where: { id: { in: ids } },
      orderBy: { name: 'asc' },
      select: wholeRealmSelect,
    });
    const roleIds = realms.flatMap(({ defaultRoleId }) => defaultRoleId ?? []);
    const roles = await ctx.db.role.findMany({ where: { id: { in: roleIds } }, select: defaultRoleSelect });
    const byId = new Map(roles.map((role) => [role.id, role]));
    const form = page.brief ? briefRealm : (whole: WholeRealm) => whole;
    return realms.map((realm) =>
      permits.get(realm.id)?.can(permissionFor(settings))
        ? form(encodeRealm(realm, byId.get(realm.defaultRoleId ?? '') ?? null))
        : { realm: realm.name },
    );
  },
});
