import { inTurns } from '../../database/turns.js';
import { demandsOf, hasPolicies } from '../client-policies/apply.js';
import { writingEach } from '../client-policies/occasion.js';
import { onError, repeated } from '../core/batch.js';
import { type At, attempt, batchOf, performAccepted } from '../core/batch-of.js';
import { MergePatch } from '../core/patch.js';
import { conflict, Refusal } from '../core/refusal.js';
import { type Input, int, list, representation, text, texts } from '../core/shape.js';
import { updateClients } from './changing.js';
import type { FullClientTarget } from './locate.js';
import { get, remove, removeClients } from './operations.js';
import { documentsFor } from './sector.js';
import { full } from './store.js';
import { checkUpdate, patch, requireSectorOf, update, writtenClient } from './update.js';

const ClientIds = representation('ClientDeleteBatch', { clients: texts, onError });
const ClientPatch = representation('ClientPatch', { id: text, expectedVersion: int, client: MergePatch });
const ClientPatches = representation('ClientUpdateBatch', { clients: list(ClientPatch), onError });

async function clientsById({ tx, realm }: Pick<At, 'tx' | 'realm'>, ids: string[]) {
  const clients = await tx.client.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: full });
  return new Map(clients.map((client): [string, FullClientTarget] => [client.id, { realm, client }]));
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

const sentOf = ({ clients = [] }: Input<typeof ClientPatches>) =>
  clients.map(({ id = '', expectedVersion, client: given = {} }) => ({ id, expectedVersion, given }));

type Sent = ReturnType<typeof sentOf>;
type Targets = ReadonlyMap<string, FullClientTarget>;

/** What the client policies of the realm demand of each change, by the ids of the clients. */
async function demandsOfEach({ ctx, realm }: Omit<At, 'tx'>, sent: Sent, targets: Targets) {
  // a client that is named again is written as it is named first, and must not answer for that with what is refused
  const twice = repeated(
    sent.map(({ id }) => id),
    'client',
  );
  const clients = await inTurns([...sent.entries()], ([at, { id, given }]) => {
    if (twice[at]) return [];
    const target = targets.get(id);
    const client = target && attempt(() => writtenClient(target, patch.inputOf(target, given)));
    return client === undefined || client instanceof Refusal ? [] : client;
  });
  const written = clients.flat();
  const occasions = writingEach(ctx, written);
  const demands = occasions.map(async (occasion, at) => [written[at]?.id, await demandsOf(realm, occasion)] as const);
  return new Map(await Promise.all(demands));
}

/** Fields that decide about the sector of a client. */
const ofSector = ['rootUrl', 'redirectUris', 'protocolMappers'];

const decidesOnSector = ({ given }: Sent[number]): boolean => ofSector.some((name) => name in given);

/** The refusals of changes by which clients leave their sectors, by the ids of the clients. */
async function sectorFaults({ ctx }: Omit<At, 'tx'>, sent: Sent, targets: Targets) {
  const faults = new Map<string, Refusal>();
  const documents = documentsFor(ctx);
  const deciding = sent.filter(decidesOnSector);
  const found = await inTurns(deciding, ({ id, given }) => {
    const target = targets.get(id);
    const changed = target && attempt(() => patch.inputOf(target, given));
    return target && changed !== undefined && !(changed instanceof Refusal) ? { id, target, changed } : [];
  });
  const changes = found.flat();
  const check = async ({ id, target, changed }: (typeof changes)[number]): Promise<void> => {
    try {
      await requireSectorOf(ctx, target, changed, documents);
    } catch (error) {
      if (!(error instanceof Refusal) || error.details.isOfSharing) throw error;
      faults.set(id, error);
    }
  };
  await Promise.all(changes.map(check));
  return faults;
}

/** What is to be known of the changes before the transaction. Reads the clients once, and none where neither policies nor sectors ask for them. */
async function prepared(at: Omit<At, 'tx'>, input: Input<typeof ClientPatches>) {
  const sent = sentOf(input);
  const asksPolicies = hasPolicies(at.realm);
  const ids = sent.filter((one) => asksPolicies || decidesOnSector(one)).map(({ id }) => id);
  const targets: Targets = ids.length === 0 ? new Map() : await clientsById({ tx: at.ctx.db, realm: at.realm }, ids);
  return {
    demands: asksPolicies ? await demandsOfEach(at, sent, targets) : undefined,
    faults: await sectorFaults(at, sent, targets),
  };
}

export const updateMany = batchOf({
  ...many,
  name: 'client.updateMany',
  summary: 'Changes the given fields of several clients of a realm in one transaction.',
  one: update,
  input: ClientPatches,
  items: sentOf,
  mode: (input) => input.onError,
  inputOf: patch.inputOf,
  snapshot: patch.snapshot,
  versionOf: ({ client }) => client,
  check: checkUpdate,
  prepare: prepared,
  run: (at, items, { demands, faults }) => {
    const changes = items.map(({ id, input }) => {
      const fault = faults.get(id);
      if (fault) return fault;
      const own = demands ? demands.get(id) : [];
      // policies were not asked about a client that was not there, or could not be changed so, before the lock was held
      return own ? { id, input, demands: own } : conflict('The client was changed in the meantime; retry');
    });
    return performAccepted(changes, (given) => updateClients(at, given));
  },
  conflict: 'A client with one of these names was created in the meantime; retry',
});
