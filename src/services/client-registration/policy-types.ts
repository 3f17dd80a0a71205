import { byRealm } from '../core/by-realm.js';
import type { Context } from '../core/context.js';
import { listsByKey } from '../core/lists-by-key.js';
import { read } from '../core/operation.js';
import type { Target } from '../core/target.js';
import type { ProviderType } from '../providers/provider.js';
import { registrationPolicies } from '../providers/registration-policies.js';

/** The names of the client scopes of a realm, in order. */
const scopeNamesOf = async (ctx: Context, realmId: string): Promise<string[]> => {
  const scopes = byRealm(ctx, 'names of client scopes', async (realmIds) => {
    const where = { realmId: { in: [...realmIds] } };
    const rows = await ctx.db.clientScope.findMany({ where, select: { realmId: true, name: true } });
    return listsByKey(rows.map((row) => [row.realmId, row.name]));
  });
  return ((await scopes.load(realmId)) ?? []).sort();
};

/** The kinds of policies for clients that register themselves; the settings offer the client scopes of the realm. */
export const policyTypes = read({
  name: 'clientRegistration.policyProviders',
  summary: 'Returns the provider types of client registration policies.',
  allow: 'any:admin',
  run: async (ctx, { realm }: Target, _input, permit): Promise<ProviderType[]> => {
    // the names of client scopes are only for callers who may list them
    const isTold = permit.can('list:client-scopes') || permit.can('view:realm');
    const options = isTold ? await scopeNamesOf(ctx, realm.id) : [];
    return registrationPolicies.map((type) => ({
      ...type,
      properties: type.properties.map((property) =>
        property.name === 'allowed-client-scopes' ? { ...property, options } : property,
      ),
    }));
  },
});
