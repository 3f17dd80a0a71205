import type { Context } from '../core/context.js';
import type { Grants } from '../core/grants.js';
import type { Target } from '../core/target.js';
import { pathOfGroup } from '../user-storage/config.js';
import { rolesNamed } from '../user-storage/role-name.js';

type Config = Record<string, string>;

/** What mappers of identity providers with these settings give to users, whatever kind they are of. */
export async function grantsOfSettings(
  ctx: Context,
  { realm }: Target,
  settings: readonly Config[],
): Promise<Grants | undefined> {
  const names = settings.flatMap(({ role }) => role?.trim() || []);
  const paths = settings.flatMap(({ group }) => (group?.trim() ? pathOfGroup({ group: [group] }) : []));
  if (names.length + paths.length === 0) return undefined;
  // a name counts for everything that it may mean once something else of that name was deleted
  const roles = await Promise.all(names.map((name) => rolesNamed(ctx.db, realm, name)));
  const groups =
    paths.length === 0
      ? []
      : await ctx.db.group.findMany({ where: { realmId: realm.id, path: { in: paths } }, select: { id: true } });
  return { roles: roles.flat().map(({ id }) => id), groups: groups.map(({ id }) => id), use: 'settings' };
}

/** What users who come from these identity providers are given by the mappers that there are. */
export async function grantsOfProviders(
  ctx: Context,
  target: Target,
  aliases: readonly string[],
): Promise<Grants | undefined> {
  if (aliases.length === 0) return undefined;
  const mappers = await ctx.db.identityProviderMapper.findMany({
    where: { realmId: target.realm.id, identityProviderAlias: { in: [...aliases] } },
    select: { config: true },
  });
  return grantsOfSettings(
    ctx,
    target,
    mappers.map(({ config }) => config as Config),
  );
}
