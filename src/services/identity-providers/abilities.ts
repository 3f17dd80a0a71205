import { abilitiesOf } from '../core/ability.js';
import { update as updateManagementPermission } from '../permissions/operations.js';
import { createMapper, removeMapper, updateMapper } from './mappers.js';
import { remove, update } from './write.js';

/** What can be done with an identity provider. */
export const providerAbilities = abilitiesOf<{ id: string; alias: string }>()({
  reads: { alias: true },
  target: (provider) => ({ provider }),
  of: {
    update: { operation: update, input: () => ({}) },
    delete: { operation: remove },
    updateManagementPermission: { operation: updateManagementPermission, kind: 'identity provider' },
    createIdentityProviderMapper: {
      operation: createMapper,
      input: ({ alias }) => ({ identityProviderAlias: alias }),
    },
  },
});

/** What can be done with a mapper of an identity provider. */
export const providerMapperAbilities = abilitiesOf<{ id: string; identityProviderAlias: string }>()({
  reads: { identityProviderAlias: true },
  target: (mapper) => ({ mapper }),
  of: { update: { operation: updateMapper, input: () => ({}) }, delete: { operation: removeMapper } },
});
