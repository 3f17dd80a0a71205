import { type Demand, demandsOf } from '../client-policies/apply.js';
import { writing } from '../client-policies/occasion.js';
import { onlyOne } from '../core/batch.js';
import type { Context } from '../core/context.js';
import { clearable } from '../core/fields.js';
import { mask } from '../core/mask.js';
import { write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import type { Permit } from '../core/ports.js';
import { forbidden, found } from '../core/refusal.js';
import { takenClientId, updateClients } from './changing.js';
import { encodeClient } from './encode.js';
import { decidesOnTokens, requireOrdinaryName } from './entitlement.js';
import { clientFields } from './fields.js';
import type { FullClientTarget } from './locate.js';
import { checkKind, touched } from './operations.js';
import { type ClientInput, ClientRepresentation } from './representation.js';
import { requireSector } from './sector.js';
import type { SectorDocuments } from './sector-documents.js';
import { accountOf, altersClient } from './service-account.js';
import { type FullClient, full } from './store.js';

/** Whether nobody can use the service account of a client after an update, or it is deleted. */
const endsServiceAccount = ({ enabled, serviceAccountsEnabled, publicClient, bearerOnly }: ClientInput): boolean =>
  enabled === false || serviceAccountsEnabled === false || publicClient === true || bearerOnly === true;

/** Refuses what no client can be, and what the caller may not make of a client. */
export function checkUpdate(permit: Permit, target: FullClientTarget, input: ClientInput): void {
  const { client } = target;
  checkKind(input);
  requireOrdinaryName(permit, target, input.clientId === client.clientId ? undefined : input.clientId);
  if (decidesOnTokens(client, input) && !permit.may('manage:clients', 'client', client.id)) throw forbidden();
}

/** A client as an update writes it, for conditions of client policies. */
export function writtenClient({ client }: FullClientTarget, input: ClientInput) {
  const { publicClient = client.publicClient, bearerOnly = client.bearerOnly } = input;
  return { id: client.id, publicClient, bearerOnly };
}

/** Refuses an update by which a client leaves its sector, see `requireSector`. */
export async function requireSectorOf(
  ctx: Context,
  { client }: FullClientTarget,
  input: ClientInput,
  documents?: SectorDocuments,
): Promise<void> {
  const { rootUrl = client.rootUrl, redirectUris = client.redirectUris } = input;
  const { protocolMappers = client.protocolMappers } = input;
  await requireSector(ctx, { rootUrl, redirectUris, protocolMappers }, client, documents);
}

export const update = write({
  name: 'client.update',
  summary: 'Changes the given fields of a client. Client scopes are assigned by their own operations.',
  input: ClientRepresentation,
  allow: 'configure:clients',
  takesRights: (_target: FullClientTarget, input) => endsServiceAccount(input),
  actsOn: accountOf,
  alters: altersClient,
  check: checkUpdate,
  lock: ({ client }) => ({ model: 'Client', id: client.id }),
  refresh: async (tx, target: FullClientTarget) => ({
    ...target,
    client: found(
      await tx.client.findUnique({ where: { id: target.client.id }, select: full }),
      'Could not find client',
    ),
  }),
  prepare: async (ctx, target, input): Promise<readonly Demand[]> => {
    await requireSectorOf(ctx, target, input);
    return demandsOf(target.realm, writing(ctx, writtenClient(target, input)));
  },
  run: async (tx, { realm, client }, input, { ctx, prepared: demands }): Promise<FullClient> =>
    onlyOne(await updateClients({ tx, ctx, realm }, [{ id: client.id, input, demands }])),
  refuses: ['NAME_TAKEN', 'ADMINISTRATION', 'SERVICE_ACCOUNT_REQUIRED', 'USERNAME_TAKEN'],
  conflict: ({ clientId }) => takenClientId(clientId),
  event: (client, { client: before }, { secret }) => ({
    operationType: 'UPDATE',
    resourceType: 'CLIENT',
    resourcePath: `clients/${client.id}`,
    representation: encodeClient(client),
    before: encodeClient(before),
    ...(secret !== undefined && secret !== mask && { replaces: [['secret']] }),
  }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ client }) => encodeClient(client),
  empty: {
    ...clearable(clientFields),
    redirectUris: [],
    webOrigins: [],
    attributes: {},
    authenticationFlowBindingOverrides: {},
    protocolMappers: [],
  },
  keepsRest: true,
  // nodes are removed one by one
  mergedMaps: { attributes: '', authenticationFlowBindingOverrides: '', registeredNodes: undefined },
});
