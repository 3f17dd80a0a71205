import { read } from '../core/operation.js';
import type { Target } from '../core/target.js';
import type { ProviderType } from '../providers/provider.js';
import { registrationPolicies } from '../providers/registration-policies.js';

/** The kinds of policies for clients that register themselves; the settings offer the client scopes of the realm. */
export const policyTypes = read({
  name: 'clientRegistration.policyProviders',
  summary: 'Returns the provider types of client registration policies.',
  allow: 'any:admin',
  run: async (ctx, { realm }: Target, _input, permit): Promise<ProviderType[]> => {
    // which client scopes there are is told to those who may list them
    const isTold = permit.can('list:client-scopes') || permit.can('view:realm');
    const where = { realmId: realm.id };
    const scopes = isTold ? await ctx.db.clientScope.findMany({ where, select: { name: true } }) : [];
    const options = scopes.map(({ name }) => name).sort();
    return registrationPolicies.map((type) => ({
      ...type,
      properties: type.properties.map((property) =>
        property.name === 'allowed-client-scopes' ? { ...property, options } : property,
      ),
    }));
  },
});
