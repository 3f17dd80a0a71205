import { removeMany, updateMany } from '../../services/clients/batch.js';
import { attempt } from '../../services/core/batch-of.js';
import { refusedPart } from '../../services/core/patch.js';
import { Refusal } from '../../services/core/refusal.js';
import { batchDelete, batchUpdate } from '../core/batch.js';
import { Client } from './clients.js';
import { changeFields, clientPatch } from './inputs.js';
import { clientPath } from './setting-values.js';

const kind = { type: Client, one: 'client', list: 'clients' };

batchDelete(kind, {
  description:
    'Deletes up to 1000 clients with their roles, protocol mappers, and service accounts in one transaction.',
  operation: removeMany,
});

/** The changes of one client in a batch. Their faults count for this client only, independent of the others. */
function patchOfItem(changes: Parameters<typeof clientPatch>[0]): object {
  const patch = attempt(() => clientPatch(changes));
  return patch instanceof Refusal ? { refused: refusedPart([patch]) } : patch;
}

batchUpdate(kind, {
  description:
    'Changes up to 1000 clients of a realm in one transaction. A clientId that another client has before the change is taken.',
  operation: updateMany,
  inputs: changeFields,
  patch: patchOfItem,
  fieldOf: clientPath,
});
