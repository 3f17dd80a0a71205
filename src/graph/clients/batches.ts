import { removeMany, updateMany } from '../../services/clients/batch.js';
import { attempt, type PluralResult } from '../../services/core/batch-of.js';
import { refusedPart } from '../../services/core/patch.js';
import { Refusal } from '../../services/core/refusal.js';
import { batchDelete, leftOut, onErrorField, realmOfBatch } from '../core/batch.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { parseEach } from '../core/node.js';
import { Client } from './clients.js';
import { changeFields, clientPatch } from './inputs.js';
import { clientPath } from './setting-values.js';

batchDelete('clientsDelete', {
  description:
    'Deletes up to 1000 clients with their roles, protocol mappers, and service accounts in one transaction.',
  operation: removeMany,
  typename: 'Client',
  list: 'clients',
});

const ClientUpdateItem = builder.inputType('ClientUpdateItem', {
  description: 'Changes to a client. Omitted fields keep their values; null clears a nullable field.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the client.' }),
    expectedVersion: t.int({
      description:
        'Version the client must have. Otherwise the item is refused with the code `STALE`. Omit to skip the check.',
    }),
    ...changeFields(t),
  }),
});

/** The changes of a client of a batch: what is wrong with them is wrong with this client, whatever becomes of the others. */
function patchOfItem(changes: Parameters<typeof clientPatch>[0]): object {
  const patch = attempt(() => clientPatch(changes));
  return patch instanceof Refusal ? { refused: refusedPart([patch]) } : patch;
}

mutation('clientsUpdate', {
  description:
    'Changes up to 1000 clients of a realm in one transaction. A clientId that another client has before the change is taken.',
  operation: updateMany,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm of the clients.' }),
    clients: t.field({
      type: [ClientUpdateItem],
      required: true,
      description: 'Changes, each with the ID of its client. They must belong to the realm.',
    }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmOfBatch(ctx, input.realm),
  fieldOf: (field) => field.replace(/^(clients\.\d+)\.(.+)$/, (_, item, rest) => `${item}.${clientPath(rest)}`),
  send: (input) => {
    const ids = parseEach(input.clients, 'clients', 'id', 'Client');
    const clients = input.clients.map(({ id: _id, expectedVersion, ...changes }, at) => ({
      id: ids[at],
      expectedVersion,
      client: patchOfItem(changes),
    }));
    return { clients, onError: input.onError };
  },
  leftOut,
  returns: {
    clients: {
      type: Client,
      model: 'client',
      description: 'Clients that were written, in the order of the input.',
      ids: ({ done }: PluralResult) => done.map(({ id }) => id),
    },
  },
});
