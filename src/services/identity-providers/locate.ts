import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../realms/record.js';
import { type IdentityProviderRow, identityProviderSelect } from './encode.js';

export interface IdentityProviderTarget {
  realm: RealmRecord;
  provider: IdentityProviderRow;
}

/** The identity provider of this alias. */
export async function providerByAlias(
  ctx: Context,
  realm: RealmRecord,
  alias: string,
): Promise<IdentityProviderTarget> {
  const provider = await ctx.db.identityProvider.findUnique({
    where: { realmId_alias: { realmId: realm.id, alias } },
    select: identityProviderSelect,
  });
  if (!provider) throw await missing(ctx, realm, 'view:identity-providers', 'HTTP 404 Not Found');
  return { realm, provider };
}
