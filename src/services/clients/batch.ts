import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { representation, texts } from '../core/shape.js';
import type { FullClientTarget } from './locate.js';
import { get, remove, removeClients } from './operations.js';
import { full } from './store.js';

const ClientIds = representation('ClientDeleteBatch', { clients: texts, onError });

async function clientsById({ tx, realm }: At, ids: string[]): Promise<ReadonlyMap<string, FullClientTarget>> {
  const clients = await tx.client.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: full });
  return new Map(clients.map((client) => [client.id, { realm, client }]));
}

const many = { get, model: 'Client', kind: 'client', list: 'clients', find: clientsById } as const;

export const removeMany = batchOf({
  ...many,
  name: 'client.deleteMany',
  summary: 'Deletes several clients with their roles, protocol mappers, and service accounts in one transaction.',
  one: remove,
  input: ClientIds,
  items: ({ clients = [] }) => clients.map((id) => ({ id, given: undefined })),
  inputOf: () => undefined,
  mode: (input) => input.onError,
  run: ({ tx, realm }, items) =>
    removeClients(
      tx,
      realm,
      items.map(({ target }) => target.client),
    ),
});
