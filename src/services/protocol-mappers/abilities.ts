import { abilitiesOf } from '../core/ability.js';
import { remove, update } from './operations.js';

/** The operations on a protocol mapper. */
export const protocolMapperAbilities = abilitiesOf<{ clientId: string | null; clientScopeId: string | null }>()({
  reads: { clientId: true, clientScopeId: true },
  target: ({ clientId, clientScopeId }) => ({
    owner: clientId === null ? { kind: 'client-scope', id: clientScopeId } : { kind: 'client', id: clientId },
  }),
  of: { update: { operation: update }, delete: { operation: remove } },
});
