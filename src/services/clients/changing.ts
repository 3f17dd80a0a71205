import type { Db } from '../../database/db.js';
import { takenIds } from '../../database/taken-ids.js';
import { breaks, inTurns } from '../../database/turns.js';
import { updateEach } from '../../database/update-each.js';
import { endServers, startServers } from '../authorization/setup.js';
import { conforming, type Demand } from '../client-policies/apply.js';
import { type At, attempt, performAccepted } from '../core/batch-of.js';
import { conflict, invalid, notFound, Refusal } from '../core/refusal.js';
import { clientBindings, requireBindable } from '../login/bindable.js';
import { serviceAccountName } from '../realms/defaults/clients.js';
import { assignScopes, chosenIds, flowOverrides, knownFlows, mapperRows, missingMappers } from './assemble.js';
import { type MergedClient, mergedClient } from './merge.js';
import type { ClientInput } from './representation.js';
import { clientSearchText } from './search.js';
import { noPreviousSecret, sealedAttributes, sealedSecret } from './secrets.js';
import {
  addServiceAccounts,
  grantProtection,
  isMisnamed,
  renameServiceAccounts,
  takenUsernames,
  usernameTaken,
} from './service-account.js';
import { boundNames, type FullClient, readClients, updated } from './store.js';
import { checkClient } from './validation.js';

/** What is to be changed of a client behind its lock, and what the client policies of the realm demand of that. */
export interface ClientChange {
  id: string;
  input: ClientInput;
  demands: readonly Demand[];
}

/** The refusal of a clientId that another client of the realm has. */
export const takenClientId = (clientId: string | undefined): string => `Client ${clientId} already exists`;

const isRenamed = ({ before, after }: MergedClient): boolean => after.clientId !== before.clientId;

/** The service account that a client has before and after a change. */
const keptAccount = ({ before, after }: MergedClient) =>
  after.serviceAccountsEnabled && before.serviceAccount
    ? { ...before.serviceAccount, clientId: after.clientId }
    : undefined;

const getsAccount = ({ before, after, input }: MergedClient): boolean =>
  after.serviceAccountsEnabled && !before.serviceAccount && input.serviceAccountsEnabled === true;

/** Whether the service account gets a username that it does not have. */
function getsUsername(client: MergedClient): boolean {
  const account = keptAccount(client);
  return getsAccount(client) || (account !== undefined && isRenamed(client) && isMisnamed(account));
}

const startsServer = ({ before, after }: MergedClient): boolean =>
  after.authorizationServicesEnabled && !before.authorizationServicesEnabled;

/** What the database has of what changes are checked against. */
interface Known {
  administering: ReadonlySet<string>;
  clientIds: Set<string>;
  usernames: Set<string>;
  flows: ReadonlySet<string>;
  /** ids of mappers */
  ids: Set<string>;
}

/** Reads what changes are checked against: one statement for each kind that occurs. */
async function knownTo({ tx, realm }: At, clients: readonly MergedClient[]): Promise<Known> {
  const renamed = clients.filter(isRenamed);
  const { administering, taken } =
    renamed.length > 0
      ? await boundNames(
          tx,
          realm.id,
          renamed.map(({ before }) => before.id),
          renamed.map(({ after }) => after.clientId),
        )
      : { administering: new Set<string>(), taken: new Set<string>() };
  const flows = await knownFlows(
    tx,
    realm,
    clients.map(({ input }) => input.authenticationFlowBindingOverrides),
  );
  const bound = clients.flatMap(({ before, input }) =>
    clientBindings(
      before.authenticationFlowBindingOverrides as Record<string, string>,
      input.authenticationFlowBindingOverrides,
    ),
  );
  await requireBindable(tx, realm.id, bound);
  const chosen = clients.flatMap(({ input: { protocolMappers = [] }, before }) =>
    chosenIds(protocolMappers, before.protocolMappers).flatMap((id) => id ?? []),
  );
  const usernames = await takenUsernames(
    tx,
    realm,
    clients.filter(getsUsername).map(({ after }) => after.clientId),
  );
  return { administering, clientIds: taken, flows, ids: await takenIds(tx, chosen), usernames };
}

/** A change that may be written. */
interface Checked extends MergedClient {
  overrides: Record<string, string>;
  /** all mappers that are inserted: those in place of the present ones, and those that come with a service account */
  mappers: ReturnType<typeof mapperRows>;
}

/** A change that may be written, the names of which others no longer get. Throws a refusal. */
function checked({ ctx, realm }: At, client: MergedClient, known: Known): Checked {
  const { before, after, input } = client;
  if (isRenamed(client) && known.administering.has(before.id)) {
    throw invalid('`clientId` of the client that administers a realm cannot be changed', 'clientId', {
      code: 'ADMINISTRATION',
    });
  }
  checkClient({
    rootUrl: after.rootUrl ?? undefined,
    baseUrl: after.baseUrl ?? undefined,
    redirectUris: after.redirectUris as string[],
    attributes: client.attributes,
    protocolMappers: input.protocolMappers,
  });
  const overrides = flowOverrides(
    known.flows,
    before.authenticationFlowBindingOverrides as Record<string, string>,
    input.authenticationFlowBindingOverrides,
  );
  const owner = { id: before.id, realmId: realm.id };
  const { protocolMappers = [] } = input;
  const own = mapperRows(ctx, owner, protocolMappers, before.protocolMappers, known.ids);
  const missing = getsAccount(client) ? missingMappers(input.protocolMappers ?? before.protocolMappers) : [];
  if (isRenamed(client) && known.clientIds.has(after.clientId)) {
    throw conflict(takenClientId(after.clientId), 'clientId', 'NAME_TAKEN');
  }
  const username = serviceAccountName(after.clientId);
  if (getsUsername(client) && known.usernames.has(username)) throw usernameTaken(after.clientId);
  if (isRenamed(client)) known.clientIds.add(after.clientId);
  if (getsUsername(client)) known.usernames.add(username);
  for (const { id } of own) known.ids.add(id);
  return { ...client, overrides, mappers: [...own, ...mapperRows(ctx, owner, missing)] };
}

/** The row of a client with what changes of it. */
function changedRow({ ctx }: At, { before, after, input, changes, attributes, secret, overrides }: Checked) {
  const { sealer } = ctx.services;
  return {
    id: before.id,
    ...changes,
    attributes: sealedAttributes(before, attributes, sealer),
    authenticationFlowBindingOverrides: overrides,
    registeredNodes: { ...(before.registeredNodes as object), ...input.registeredNodes },
    ...(secret !== undefined && {
      secret: secret === null ? null : sealedSecret(before, secret, sealer),
      ...noPreviousSecret,
    }),
    search: clientSearchText(after.clientId, after.name),
  };
}

async function writeMappers(tx: Db, clients: readonly Checked[]): Promise<void> {
  const replaced = clients.flatMap(({ before, input }) => (input.protocolMappers ? before.id : []));
  if (replaced.length > 0) await tx.later.protocolMapper.deleteMany({ where: { clientId: { in: replaced } } });
  const rows = clients.flatMap(({ mappers }) => mappers);
  if (rows.length > 0) await tx.protocolMapper.createMany({ data: rows });
}

/** Service accounts come and go with their switches, and follow the clientIds. */
async function writeAccounts({ tx, ctx, realm }: At, clients: readonly Checked[]): Promise<void> {
  const gone = clients.flatMap(({ before, after }) =>
    after.serviceAccountsEnabled ? [] : (before.serviceAccount?.id ?? []),
  );
  if (gone.length > 0) await tx.later.user.deleteMany({ where: { id: { in: gone } } });
  const renamed = clients.filter((client) => !getsAccount(client) && getsUsername(client));
  await renameServiceAccounts(
    tx,
    renamed.flatMap((client) => keptAccount(client) ?? []),
  );
  const afterOf = (chosen: readonly Checked[]) => chosen.map(({ after }) => after);
  await addServiceAccounts(tx, ctx, realm, afterOf(clients.filter(getsAccount)));
  const protecting = clients.filter(
    (client) => startsServer(client) && (getsAccount(client) || keptAccount(client) !== undefined),
  );
  await grantProtection(tx, ctx, realm, afterOf(protecting));
}

/**
 * Changes the given fields of clients of a realm, with refusals in place of those that may not be changed so. The number of
 * statements does not depend on how many clients they are. A clientId that another client has before the change is taken.
 */
export async function updateClients(at: At, changes: readonly ClientChange[]): Promise<(FullClient | Refusal)[]> {
  const { tx, ctx, realm } = at;
  const ids = changes.map(({ id }) => id);
  const present = await tx.client.findMany({ where: { id: { in: ids } }, select: updated });
  const byId = new Map(present.map((client) => [client.id, client]));
  const pause = breaks();
  const merge = ({ id, input, demands }: ClientChange) => {
    const before = byId.get(id);
    if (!before) throw notFound('Could not find client');
    return mergedClient(before, conforming(demands, { isNew: false, proposed: input }), ctx.services.sealer);
  };
  const merged = await inTurns(changes, (change) => attempt(() => merge(change)), pause);
  const known = await knownTo(
    at,
    merged.flatMap((client) => (client instanceof Refusal ? [] : client)),
  );
  const accepted = await inTurns(
    merged,
    (client) => (client instanceof Refusal ? client : attempt(() => checked(at, client, known))),
    pause,
  );
  return performAccepted(accepted, async (clients) => {
    await updateEach(tx, 'Client', await inTurns(clients, (client) => changedRow(at, client), pause));
    await writeMappers(tx, clients);
    const converted = clients.filter(({ before, after }) => after.protocol !== before.protocol);
    await assignScopes(
      tx,
      realm,
      converted.map(({ after }) => ({ id: after.id, protocol: after.protocol ?? 'openid-connect' })),
    );
    await writeAccounts(at, clients);
    await startServers(
      tx,
      ctx,
      realm,
      clients.filter(startsServer).map(({ after: { id, clientId } }) => ({ id, clientId })),
    );
    await endServers(
      tx,
      clients.flatMap(({ after }) => (after.authorizationServicesEnabled ? [] : after.id)),
    );
    return readClients(
      tx,
      clients.map(({ after }) => after.id),
    );
  });
}
