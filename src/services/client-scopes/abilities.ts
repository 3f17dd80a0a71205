import { abilitiesOf } from '../core/ability.js';
import { create as createMapper } from '../protocol-mappers/operations.js';
import { add } from '../scope-mappings/writes.js';
import { addRealmScope } from './assignments.js';
import { remove, update } from './operations.js';

/** What can be done with a client scope. */
export const clientScopeAbilities = abilitiesOf<{ id: string }>()({
  reads: {},
  target: ({ id }) => ({ owner: { kind: 'client-scope', id } }),
  of: {
    update: { operation: update },
    delete: { operation: remove },
    createProtocolMapper: { operation: createMapper },
    addScopeMapping: { operation: add },
    addToRealm: { operation: addRealmScope },
  },
});
