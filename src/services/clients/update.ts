import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { endServer, startServer } from '../authorization/setup.js';
import { conforming } from '../client-policies/apply.js';
import { writing } from '../client-policies/occasion.js';
import type { Context } from '../core/context.js';
import { mask } from '../core/mask.js';
import { write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import type { RealmRecord } from '../core/realm.js';
import { forbidden, found, invalid, notFound } from '../core/refusal.js';
import { newClientSecret } from '../realms/assemble/realm.js';
import { addMappers, assignScopes, flowOverrides, missingMappers, replaceMappers } from './assemble.js';
import { withDeviceGrant } from './columns.js';
import { encodeClient } from './encode.js';
import { decidesOnTokens, requireOrdinaryName } from './entitlement.js';
import type { FullClientTarget } from './locate.js';
import { checkKind, touched } from './operations.js';
import { type ClientInput, ClientRepresentation } from './representation.js';
import { clientSearchText } from './search.js';
import { isSecretAttribute, noPreviousSecret, openedAttributes, sealedAttributes, sealedSecret } from './secrets.js';
import {
  accountOf,
  addServiceAccount,
  altersClient,
  grantProtection,
  renameServiceAccount,
} from './service-account.js';
import { type FullClient, full, readClient, type UpdatedClient, updated } from './store.js';
import { checkClient } from './validation.js';

/** Columns that an input replaces when it has them. */
const plain = [
  'clientId',
  'name',
  'description',
  'enabled',
  'protocol',
  'clientAuthenticatorType',
  'publicClient',
  'bearerOnly',
  'consentRequired',
  'standardFlowEnabled',
  'implicitFlowEnabled',
  'directAccessGrantsEnabled',
  'serviceAccountsEnabled',
  'authorizationServicesEnabled',
  'frontchannelLogout',
  'fullScopeAllowed',
  'surrogateAuthRequired',
  'alwaysDisplayInConsole',
  'rootUrl',
  'adminUrl',
  'baseUrl',
  'nodeReRegistrationTimeout',
  'notBefore',
  'redirectUris',
  'webOrigins',
] as const satisfies (keyof ClientInput & keyof FullClient)[];

/** Given attributes beside those that are there; an empty text takes one out, a mask leaves a secret as it is. */
function mergedAttributes(before: Record<string, string>, input: ClientInput): Record<string, string> {
  const given = Object.entries(withDeviceGrant(input)).filter(
    ([name, value]) => !(isSecretAttribute(name) && value === mask),
  );
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== ''),
  );
}

/**
 * The new secret where it changes: null takes it away, as becoming public does. A client that can keep a secret and has
 * none gets one with the first update.
 */
function newSecret(before: UpdatedClient, input: ClientInput): string | null | undefined {
  if (input.secret !== undefined && input.secret !== mask) return input.secret;
  if (input.publicClient && !before.publicClient) return null;
  const { publicClient = before.publicClient, bearerOnly = before.bearerOnly } = input;
  return !publicClient && !bearerOnly && before.secret === null ? newClientSecret() : undefined;
}

/**
 * The input without what a client without a service account cannot have. The client for administration is the one that
 * has authorization services all the same: those that management permissions live in.
 */
function consistent(input: ClientInput, before: UpdatedClient): ClientInput {
  if (isAdministration(before)) return { ...input, authorizationServicesEnabled: true };
  const withoutAuthorization = input.publicClient || input.bearerOnly || input.serviceAccountsEnabled === false;
  return withoutAuthorization ? { ...input, authorizationServicesEnabled: false } : input;
}

const isAdministration = ({ bearerOnly, authorizationServicesEnabled }: UpdatedClient): boolean =>
  bearerOnly && authorizationServicesEnabled;

/** Whether nobody can use the service account of a client after an update, or it is deleted. */
const endsServiceAccount = ({ enabled, serviceAccountsEnabled, publicClient, bearerOnly }: ClientInput): boolean =>
  enabled === false || serviceAccountsEnabled === false || publicClient === true || bearerOnly === true;

export const update = write({
  name: 'client.update',
  summary: 'Changes the given fields of a client. Client scopes are assigned by their own operations.',
  input: ClientRepresentation,
  allow: 'configure:clients',
  takesRights: (_target: FullClientTarget, input) => endsServiceAccount(input),
  actsOn: accountOf,
  alters: altersClient,
  check: (permit, target: FullClientTarget, input) => {
    const { client } = target;
    checkKind(input);
    requireOrdinaryName(permit, target, input.clientId === client.clientId ? undefined : input.clientId);
    if (decidesOnTokens(client, input) && !permit.may('manage:clients', 'client', client.id)) throw forbidden();
  },
  lock: ({ client }) => ({ model: 'Client', id: client.id }),
  refresh: async (tx, target: FullClientTarget) => ({
    ...target,
    client: found(
      await tx.client.findUnique({ where: { id: target.client.id }, select: full }),
      'Could not find client',
    ),
  }),
  prepare: (ctx, { realm, client }, input) => {
    const { publicClient = client.publicClient, bearerOnly = client.bearerOnly } = input;
    const occasion = writing(ctx, { id: client.id, publicClient, bearerOnly });
    return conforming(realm, { isNew: false, proposed: input }, occasion);
  },
  run: async (tx, { realm, client }, _input, { ctx, prepared: given }): Promise<FullClient> => {
    const { sealer } = ctx.services;
    const before = await tx.client.findUnique({ where: { id: client.id }, select: updated });
    if (!before) throw notFound('Could not find client');
    const input = consistent(given, before);
    const changes = Object.fromEntries(plain.map((field) => [field, input[field]]));
    const after = { ...before, ...withoutUndefined(changes) } as UpdatedClient;
    if (after.authorizationServicesEnabled && !after.serviceAccountsEnabled && !isAdministration(before)) {
      throw invalid('Authorization services require a service account', 'serviceAccountsEnabled', {
        code: 'SERVICE_ACCOUNT_REQUIRED',
      });
    }
    if (after.clientId !== before.clientId) {
      const administered = await tx.realm.count({ where: { adminClientId: client.id } });
      if (administered > 0)
        throw invalid('`clientId` of the client that administers a realm cannot be changed', 'clientId', {
          code: 'ADMINISTRATION',
        });
    }
    const attributes = mergedAttributes(openedAttributes(before, sealer), input);
    checkClient({
      rootUrl: after.rootUrl ?? undefined,
      baseUrl: after.baseUrl ?? undefined,
      redirectUris: after.redirectUris as string[],
      attributes,
      protocolMappers: input.protocolMappers,
    });
    const overrides = before.authenticationFlowBindingOverrides as Record<string, string>;
    const secret = newSecret(before, input);
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: {
        ...(changes as Prisma.ClientUpdateManyMutationInput),
        attributes: sealedAttributes(before, attributes, sealer),
        authenticationFlowBindingOverrides: await flowOverrides(
          tx,
          realm,
          overrides,
          input.authenticationFlowBindingOverrides,
        ),
        registeredNodes: { ...(before.registeredNodes as object), ...input.registeredNodes },
        ...(secret !== undefined && {
          secret: secret === null ? null : sealedSecret(before, secret, sealer),
          ...noPreviousSecret,
        }),
        search: clientSearchText(after.clientId, after.name),
        version: { increment: 1 },
      },
    });
    if (input.protocolMappers)
      await replaceMappers(
        tx,
        ctx,
        { id: client.id, realmId: realm.id },
        input.protocolMappers,
        before.protocolMappers,
      );
    if (after.protocol !== before.protocol) {
      await assignScopes(tx, realm, { id: client.id, protocol: after.protocol ?? 'openid-connect' });
    }
    await adjustServiceAccount({ tx, ctx, realm }, before, after, input);
    if (after.authorizationServicesEnabled && !before.authorizationServicesEnabled) {
      await startServer(tx, ctx, realm, after);
    } else if (!after.authorizationServicesEnabled) await endServer(tx, client.id);
    return readClient(tx, client.id);
  },
  refuses: ['NAME_TAKEN', 'ADMINISTRATION', 'SERVICE_ACCOUNT_REQUIRED', 'USERNAME_TAKEN'],
  conflict: ({ clientId }) => `Client ${clientId} already exists`,
  event: (client, { client: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'CLIENT',
    resourcePath: `clients/${client.id}`,
    representation: encodeClient(client),
    before: encodeClient(before),
  }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ client }) => encodeClient(client),
  empty: {
    name: '',
    description: '',
    rootUrl: '',
    adminUrl: '',
    baseUrl: '',
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

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

interface At {
  tx: Db;
  ctx: Context;
  realm: RealmRecord;
}

/** The service account comes and goes with its switch, and follows the clientId. */
async function adjustServiceAccount(
  { tx, ctx, realm }: At,
  before: UpdatedClient,
  after: UpdatedClient,
  input: ClientInput,
): Promise<void> {
  const known = before.serviceAccount?.id;
  if (!after.serviceAccountsEnabled) {
    if (known) await tx.later.user.deleteMany({ where: { id: known } });
    return;
  }
  if (known && after.clientId !== before.clientId) await renameServiceAccount(tx, realm, known, after.clientId);
  const userId = known ?? (input.serviceAccountsEnabled ? await addServiceAccount(tx, ctx, realm, after) : undefined);
  if (!known && userId) {
    await addMappers(
      tx,
      ctx,
      { id: after.id, realmId: realm.id },
      missingMappers(input.protocolMappers ?? before.protocolMappers),
    );
  }
  if (userId && after.authorizationServicesEnabled && !before.authorizationServicesEnabled) {
    await grantProtection(tx, ctx, realm, after, userId);
  }
}
