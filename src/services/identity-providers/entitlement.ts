import { type Context, loader } from '../core/context.js';
import type { Grants } from '../core/grants.js';
import { batchLoader } from '../core/pace.js';
import type { Target } from '../core/target.js';
import { pathOfGroup } from '../user-storage/config.js';
import { namesFor } from '../user-storage/names.js';

type Config = Record<string, string>;

/** What mappers of identity providers with these settings give to users, whatever kind they are of. */
export async function grantsOfSettings(
  ctx: Context,
  target: Target,
  settings: readonly Config[],
): Promise<Grants | undefined> {
  const texts = settings.flatMap(({ role }) => role?.trim() || []);
  const paths = settings.flatMap(({ group }) => (group?.trim() ? pathOfGroup({ group: [group] }) : []));
  if (texts.length + paths.length === 0) return undefined;
  const names = namesFor(ctx, target);
  const [roles, groups] = await Promise.all([
    // a name counts for everything that it may mean once something else of that name was deleted
    Promise.all(texts.map((text) => names.roles(text))),
    Promise.all(paths.map((path) => names.groups(path))),
  ]);
  return { roles: roles.flat(), groups: groups.flat(), use: 'settings' };
}

/** What users who come from these identity providers are given by the mappers that there are. */
export async function grantsOfProviders(
  ctx: Context,
  target: Target,
  aliases: readonly string[],
): Promise<Grants | undefined> {
  if (aliases.length === 0) return undefined;
  const { realm } = target;
  const settingsOf = loader(ctx, `mappers of identity providers of ${realm.id}`, () => {
    const find = async (among: readonly string[]) => {
      const mappers = await ctx.db.identityProviderMapper.findMany({
        where: { realmId: realm.id, identityProviderAlias: { in: [...among] } },
        select: { identityProviderAlias: true, config: true },
      });
      return among.map((alias) => mappers.flatMap((one) => (one.identityProviderAlias === alias ? one.config : [])));
    };
    return batchLoader(ctx, find, { cache: false });
  });
  const settings = await Promise.all(aliases.map((alias) => settingsOf.load(alias)));
  return grantsOfSettings(ctx, target, settings.flat() as Config[]);
}
