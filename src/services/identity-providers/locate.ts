import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { type IdentityProviderRow, identityProviderSelect } from './encode.js';

export interface IdentityProviderTarget {
  realm: RealmRecord;
  provider: IdentityProviderRow;
}

/** The row that writers of an identity provider, and of its mappers, queue for. */
export const providerRow = ({ provider }: IdentityProviderTarget) => ({
  model: 'IdentityProvider' as const,
  id: provider.id,
});

/** The identity provider of this alias, or else of this internal id. */
export async function providerByAlias(
  ctx: Context,
  realm: RealmRecord,
  alias: string,
): Promise<IdentityProviderTarget> {
  const found = await ctx.db.identityProvider.findMany({
    where: { realmId: realm.id, OR: [{ alias }, { id: alias }] },
    select: identityProviderSelect,
  });
  const provider = found.find((row) => row.alias === alias) ?? found[0];
  if (!provider) throw await missing(ctx, realm, 'view:identity-providers', 'HTTP 404 Not Found');
  return { realm, provider };
}
