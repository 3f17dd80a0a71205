import type { Db } from '../../database/db.js';
import { listed } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { startServers } from '../authorization/setup.js';
import { conforming, demandsOf } from '../client-policies/apply.js';
import { writing } from '../client-policies/occasion.js';
import { attributesOf } from '../core/attribute-query.js';
import { onlyOne } from '../core/batch.js';
import { mask } from '../core/mask.js';
import { list, read, write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid, Refusal } from '../core/refusal.js';
import { flag, representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { newCertifiedKey } from '../keys/generate.js';
import { clientBindings, requireBindable } from '../login/bindable.js';
import { forgetInPolicies, rolesOfClients } from '../permissions/store.js';
import { newClientSecret } from '../realms/assemble/realm.js';
import { takeRoles } from '../roles/store.js';
import { addMappers, assignScopes, flowOverrides, knownFlows, missingMappers } from './assemble.js';
import { clientColumns, wantsAuthorization } from './columns.js';
import { needsSigningKey, type SigningKey, withProtocolDefaults } from './defaults.js';
import { encodeClient } from './encode.js';
import { requireOrdinaryName } from './entitlement.js';
import type { FullClientTarget } from './locate.js';
import { attributeWhere, clientIdContains } from './query.js';
import { type ClientInput, ClientRepresentation } from './representation.js';
import { requireSector } from './sector.js';
import {
  accountOf,
  addServiceAccounts,
  altersClient,
  grantProtection,
  takenUsernames,
  usernameTaken,
} from './service-account.js';
import { deleteParts, type FullClient, readClient } from './store.js';
import { checkClient } from './validation.js';

/** `search` makes `clientId` a part that may occur anywhere in it; `q` asks for attributes. */
const ClientFilter = representation('ClientFilter', { clientId: text, search: flag, q: text });

/** Cache keys that a change of a client invalidates. */
export const touched = (client: { id: string; realmId: string }) => [
  `clients:${client.realmId}`,
  `client:${client.id}`,
  'rights',
];

export const listClients = list({
  name: 'client.list',
  summary: 'Returns the clients of a realm that the caller may view.',
  input: ClientFilter,
  allow: 'query:clients',
  model: 'Client',
  visible: 'clients',
  where: ({ realm }: Target, { clientId, search, q }): Prisma.ClientWhereInput => ({
    realmId: realm.id,
    ...(clientId && (search ? clientIdContains(clientId) : { clientId })),
    ...(q && { AND: attributesOf(q).map(([name, value]) => attributeWhere(name, { equals: value })) }),
  }),
  orderBy: [{ clientId: 'asc' }],
});

export const get = read({
  name: 'client.get',
  summary: 'Returns a client without its secret.',
  allow: 'view:clients',
  run: async (_ctx, { client }: FullClientTarget): Promise<FullClient> => client,
});

async function newSigningKey(name: string, realmId: string): Promise<SigningKey> {
  const { privateKey, certificate } = await newCertifiedKey(name, realmId);
  return { certificate, privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64') };
}

/** Refuses what no client can be: an unknown protocol, an endless name, authorization without a service account. */
export function checkKind({ protocol, clientId = '' }: ClientInput): void {
  if (protocol !== undefined && protocol !== 'openid-connect' && protocol !== 'saml') {
    throw invalid(`\`protocol\` "${protocol}" is not supported`, 'protocol');
  }
  if (clientId.length > 255)
    throw invalid('`clientId` must be at most 255 characters', 'clientId', { code: 'NAME_INVALID' });
}

/**
 * The secret of a new client: the given one, or one that is made for a confidential client. Tooling that names neither
 * the protocol nor how the client proves who it is gets a client without.
 */
function secretOf(client: ClientInput): string | undefined {
  if (client.secret !== undefined && client.secret !== mask) return client.secret;
  const named = client.protocol === 'openid-connect' || client.clientAuthenticatorType === 'client-secret';
  const confidential = !client.publicClient && !client.bearerOnly && client.protocol !== 'saml';
  return named && confidential ? newClientSecret() : undefined;
}

const namedScopes = ({ defaultClientScopes, optionalClientScopes }: ClientInput) =>
  defaultClientScopes || optionalClientScopes
    ? { default: defaultClientScopes ?? [], optional: optionalClientScopes ?? [] }
    : undefined;

export const create = write({
  name: 'client.create',
  isShort: true,
  summary: 'Creates a client. The defaults of omitted fields depend on whether `protocol` is given.',
  input: ClientRepresentation,
  allow: 'manage:clients',
  check: (permit, target: Target, input) => {
    checkKind(input);
    requireOrdinaryName(permit, target, input.clientId);
    checkClient(withProtocolDefaults(input));
    const hasAuthorization = wantsAuthorization(input);
    if (hasAuthorization && !input.serviceAccountsEnabled) {
      throw invalid('Authorization services require a service account', 'serviceAccountsEnabled', {
        code: 'SERVICE_ACCOUNT_REQUIRED',
      });
    }
    if (hasAuthorization && (input.publicClient || input.bearerOnly)) {
      throw invalid('Authorization services require a confidential client', 'authorizationServicesEnabled');
    }
  },
  prepare: async (ctx, { realm }, input) => {
    await requireSector(ctx, input);
    const given = conforming(await demandsOf(realm, writing(ctx, input)), { isNew: true, proposed: input });
    return {
      given,
      signing: needsSigningKey(given) ? await newSigningKey(given.clientId ?? 'client', realm.id) : undefined,
    };
  },
  run: async (tx, { realm }, _input, { ctx, prepared }): Promise<FullClient> => {
    const { given, signing } = prepared;
    const { services } = ctx;
    const id = await ownId(tx, given.id, services);
    const input = withProtocolDefaults({ ...given, clientId: given.clientId ?? id }, signing);
    const overrides = input.authenticationFlowBindingOverrides;
    await requireBindable(tx, realm.id, clientBindings({}, overrides));
    const row = clientColumns(input, {
      id,
      realmId: realm.id,
      clientId: input.clientId ?? id,
      secret: secretOf(input),
      flowOverrides: flowOverrides(await knownFlows(tx, realm, [overrides]), {}, overrides),
      seal: services.sealer.seal,
    });
    await tx.client.createMany({ data: row });
    await assignScopes(tx, realm, [row], namedScopes(input), input.clientTemplate);
    const mappers = input.protocolMappers ?? [];
    await addMappers(tx, ctx, row, row.serviceAccountsEnabled ? [...mappers, ...missingMappers(mappers)] : mappers);
    if (row.serviceAccountsEnabled) {
      if ((await takenUsernames(tx, realm, [row.clientId])).size > 0) throw usernameTaken(row.clientId);
      await addServiceAccounts(tx, ctx, realm, [row]);
      if (row.authorizationServicesEnabled) await grantProtection(tx, ctx, realm, [row]);
    }
    if (row.authorizationServicesEnabled) {
      await startServers(tx, ctx, realm, [{ ...row, settings: input.authorizationSettings }]);
    }
    return readClient(tx, id);
  },
  refuses: ['NAME_TAKEN', 'SERVICE_ACCOUNT_REQUIRED', 'USERNAME_TAKEN'],
  conflict: ({ clientId, id }) => `Client ${clientId ?? id} already exists`,
  event: (client) => ({
    operationType: 'CREATE',
    resourceType: 'CLIENT',
    resourcePath: `clients/${client.id}`,
    representation: encodeClient(client),
  }),
  touches: touched,
});

/** Deletes clients, and the policies about nothing else; with a refusal in place of each that must stay. */
export async function removeClients(
  tx: Db,
  realm: RealmRecord,
  clients: readonly FullClient[],
): Promise<(FullClient | Refusal)[]> {
  const where = { adminClientId: { in: clients.map(({ id }) => id) } };
  const administered = await tx.realm.findMany({ where, select: { name: true, adminClientId: true } });
  const names = new Map(administered.map(({ adminClientId, name }) => [adminClientId, name]));
  const outcomes = clients.map((client) => {
    const name = names.get(client.id);
    if (name === undefined) return client;
    const message = `Client ${client.clientId} administers the realm ${name} and can be deleted only with it`;
    return invalid(message, undefined, { code: 'ADMINISTRATION' });
  });
  const ids = outcomes.flatMap((client) => (client instanceof Refusal ? [] : client.id));
  if (ids.length === 0) return outcomes;
  const going = listed(tx, ids);
  const roles = rolesOfClients(going);
  await forgetInPolicies(tx, realm, 'role', roles);
  await forgetInPolicies(tx, realm, 'client', going);
  await takeRoles(tx, roles);
  await deleteParts(tx, going);
  await tx.later.client.deleteMany({ where: { id: { in: ids } } });
  return outcomes;
}

export const remove = write({
  name: 'client.delete',
  isShort: true,
  summary: 'Deletes a client with its roles, protocol mappers, and service account.',
  allow: 'manage:clients',
  takesRights: true,
  actsOn: accountOf,
  alters: altersClient,
  lock: ({ client }: FullClientTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { realm, client }): Promise<FullClient> => onlyOne(await removeClients(tx, realm, [client])),
  refuses: ['ADMINISTRATION'],
  event: (client) => ({
    operationType: 'DELETE',
    resourceType: 'CLIENT',
    resourcePath: `clients/${client.id}`,
    before: encodeClient(client),
  }),
  touches: touched,
});
