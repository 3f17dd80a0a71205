import { abilitiesOf } from '../core/ability.js';
import { createMapper, removeMapper, updateMapper } from './mappers.js';
import { remove, update } from './write.js';

/** What can be done with an identity provider. */
export const providerAbilities = abilitiesOf<{ id: string; alias: string }>()({
  reads: { alias: true },
  target: (provider) => ({ provider }),
  of: {
    // what its mappers give is read of each provider
    update: { operation: update, input: () => ({}), isApart: true },
    delete: { operation: remove },
    createMapper: { operation: createMapper },
  },
});

/** What can be done with a mapper of an identity provider. */
export const providerMapperAbilities = abilitiesOf<object>()({
  reads: {},
  target: () => ({}),
  of: { update: { operation: updateMapper }, delete: { operation: removeMapper } },
});
