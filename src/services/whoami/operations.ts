import type { Context } from '../core/context.js';
import { read } from '../core/operation.js';
import { adminRoles } from '../core/permissions.js';
import { permitFor } from '../core/permit.js';
import type { Permit } from '../core/ports.js';
import type { RealmRecord } from '../core/realm.js';
import { notFound, Refusal, unauthenticated } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { type HeldPermission, heldPermissions } from '../permissions/held.js';
import { masterName } from '../realms/defaults/master.js';
import { realmByName } from '../realms/locate.js';
import { visibleRealms } from '../realms/visible.js';

/** The realm of this name, as whoami words its 404. */
export async function consoleRealm(ctx: Context, name: string): Promise<Target> {
  try {
    return { realm: await realmByName(ctx, name) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'notFound') throw error;
    throw notFound('Realm not found.  Did you type in a bad URL?');
  }
}

export interface WhoAmI {
  userId: string;
  realm: string;
  displayName: string;
  locale: string;
  createRealm: boolean;
  /** the administration roles of the caller by the name of the realm */
  realm_access: Record<string, string[]>;
}

export const whoAmI = read({
  name: 'caller.whoami',
  summary: 'Returns the caller and its administration roles in each realm. Realms without any are left out.',
  allow: 'any:caller',
  async run(ctx, { realm }: Target): Promise<WhoAmI> {
    const { caller } = ctx;
    // a token of another realm does not identify a user of this one
    const unknown = unauthenticated();
    if (caller.realmId !== realm.id) throw unknown;
    const user = await ctx.db.user.findUnique({
      where: { id: caller.userId },
      select: {
        username: true,
        firstName: true,
        lastName: true,
        attributes: { where: { name: 'locale' }, orderBy: { position: 'asc' }, select: { value: true } },
      },
    });
    if (!user) throw unknown;
    const own = await permitFor(ctx, realm);
    return {
      userId: caller.userId,
      realm: realm.name,
      displayName: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username,
      locale: localeOf(realm, user.attributes[0]?.value),
      createRealm: realm.name === masterName && own.can('create:realm'),
      realm_access: realm.name === masterName ? await accessFromMaster(ctx) : { [realm.name]: rolesOf(own) },
    };
  },
});

const known = new Set<string>([...adminRoles, 'realm-admin']);
const rolesOf = ({ rights }: Permit): string[] => [...rights].filter((role) => known.has(role)).sort();

async function accessFromMaster(ctx: Context): Promise<Record<string, string[]>> {
  const permits = await visibleRealms(ctx);
  const where = { id: { in: [...permits.keys()] } };
  const realms = await ctx.db.realm.findMany({ where, orderBy: { name: 'asc' }, select: { id: true, name: true } });
  return Object.fromEntries(realms.map(({ id, name }) => [name, rolesOf(permits.get(id) as Permit)]));
}

/** The permissions of the caller in one realm. */
export interface CallerPermissions {
  realmId: string;
  realm: string;
  roles: string[];
  permissions: HeldPermission[];
}

export const callerPermissions = read({
  name: 'caller.permissions',
  summary: 'Returns the permissions of the caller in each realm. Realms without any are left out.',
  allow: 'any:caller',
  async run(ctx, { realm }: Target): Promise<CallerPermissions[]> {
    const own = await permitFor(ctx, realm);
    const permits = new Map(await visibleRealms(ctx));
    // in the caller's own realm management permissions count too
    if (permits.has(realm.id) || heldPermissions(own).some(({ permission }) => permission !== 'any:caller'))
      permits.set(realm.id, own);
    const where = { id: { in: [...permits.keys()] } };
    const realms = await ctx.db.realm.findMany({ where, orderBy: { name: 'asc' }, select: { id: true, name: true } });
    const known = new Map<Permit, Pick<CallerPermissions, 'roles' | 'permissions'>>();
    return realms.map(({ id, name }) => {
      const permit = permits.get(id) as Permit;
      // most administrators have the same permit in all realms
      const held = known.get(permit) ?? { roles: [...permit.rights].sort(), permissions: heldPermissions(permit) };
      known.set(permit, held);
      return { realmId: id, realm: name, ...held };
    });
  },
});

/** The language of the user's choice if the realm has it, or else that of the realm. */
function localeOf({ settings }: RealmRecord, chosen: string | undefined): string {
  if (settings.internationalizationEnabled !== true) return 'en';
  const supported = Array.isArray(settings.supportedLocales) ? settings.supportedLocales : [];
  if (chosen !== undefined && supported.includes(chosen)) return chosen;
  return typeof settings.defaultLocale === 'string' && settings.defaultLocale !== '' ? settings.defaultLocale : 'en';
}
