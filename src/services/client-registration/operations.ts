import type { Db } from '../../database/db.js';
import { conforming } from '../client-policies/apply.js';
import { checkKind, create, remove as removeClient } from '../clients/operations.js';
import { ClientRepresentation } from '../clients/representation.js';
import { openedSecret } from '../clients/secrets.js';
import { accountOf, altersClient } from '../clients/service-account.js';
import { type FullClient, full } from '../clients/store.js';
import { update as updateClient } from '../clients/update.js';
import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { storeLoginEvent } from '../events/login-events.js';
import { installation } from '../installation/operations.js';
import { found } from '../tokens/steps.js';
import { badMetadata } from './faults.js';
import { spend } from './initial-access-use.js';
import { notToUpdate, type RegisteredTarget, type RegistrationTarget } from './locate.js';
import { keptMapperTypes, type Policy, policiesOf, requireAllowed, withImposed } from './policies.js';
import type { Asked } from './policy-rules.js';
import { powerColumns, requireNoFlows, withinPowers } from './powers.js';
import type { Registrant } from './registrant.js';
import { signRegistrationToken } from './registration-token.js';

/** A client as its registrant sees it. */
export interface Registration {
  client: FullClient;
  /** in clear; undefined if the response leaves it out */
  secret?: string | undefined;
  /** registration access token */
  token?: string | undefined;
}

// These operations are authorized by their tokens: the locators have checked them.
const allow = 'any:caller';

/** The permission for administrators; undefined for a client with its own token. */
const ofBearer =
  <A>(ask: (target: RegisteredTarget) => A) =>
  (target: RegisteredTarget): A | undefined =>
    target.by.kind === 'bearer' ? ask(target) : undefined;

const asked = (ctx: Context, realm: RealmRecord, more: Pick<Asked, 'client' | 'proposed'> = {}): Asked => ({
  db: ctx.db,
  realmId: realm.id,
  address: ctx.ipAddress,
  ...more,
});

const newToken = async (ctx: Context, realm: RealmRecord, by: Registrant) => {
  const id = ctx.services.newId();
  return { id, text: await signRegistrationToken(ctx, realm, id, by.policies) };
};

const tell = (tx: Db, ctx: Context, realm: RealmRecord, type: string, { clientId }: { clientId: string }) =>
  storeLoginEvent(tx, ctx.services, realm, {
    type,
    clientId,
    ipAddress: ctx.ipAddress,
    userId: ctx.caller.userId || undefined,
  });

const countersOf = (policies: readonly Policy[]) => policies.filter(({ rule }) => rule.countsClients);

export const register = write({
  name: 'clientRegistration.create',
  summary:
    'Registers a client (RFC 7591). Returns a registration access token with which the client manages its registration.',
  input: ClientRepresentation,
  allow,
  check: (permit, target: RegistrationTarget, input, ctx) => create.check?.(permit, target, input, ctx),
  prepare: async (ctx, target, input) => {
    const { realm, by } = target;
    const policies = await policiesOf(ctx.db, realm.id, by.policies);
    await requireAllowed(policies, asked(ctx, realm, { proposed: input }));
    if (by.kind !== 'bearer') requireNoFlows(input);
    // clients cannot enable the password grant for themselves
    const proposed = { ...withImposed(policies, input), directAccessGrantsEnabled: false };
    const made = found(await create.prepare?.(ctx, target, proposed));
    return { policies, proposed, made, token: await newToken(ctx, realm, by) };
  },
  // registrations without a token queue, since they are counted
  queue: ({ realm, by }) => (by.policies === 'anonymous' ? { model: 'Realm', id: realm.id } : undefined),
  run: async (tx, target, _input, { ctx, prepared }): Promise<Registration> => {
    const { realm, by } = target;
    const { policies, proposed, made, token } = prepared;
    if (by.kind === 'initial') await spend(tx, ctx, realm, by.tokenId);
    await requireAllowed(countersOf(policies), asked(ctx, realm, { proposed }));
    const { id } = await create.run(tx, target, proposed, { ctx, prepared: made });
    const kept = keptMapperTypes(policies);
    if (kept) await tx.protocolMapper.deleteMany({ where: { clientId: id, protocolMapper: { notIn: [...kept] } } });
    await tx.later.client.updateMany({ where: { id }, data: { registrationToken: token.id } });
    const row = await tx.client.findUniqueOrThrow({ where: { id }, select: { ...full, secret: true } });
    await tell(tx, ctx, realm, 'CLIENT_REGISTER', row);
    const { secret, ...client } = row;
    return { client, token: token.text, secret: openedSecret({ ...client, secret }, ctx.services.sealer) };
  },
  refuses: ['NAME_TAKEN'],
  conflict: () => badMetadata('Client Identifier in use', 'clientId'),
  event: ({ client }, target, input) => create.event(client, target, input),
  touches: ({ client }, target) => [
    ...create.touches(client, target),
    ...(target.by.kind === 'initial' ? [`initial-access:${target.realm.id}`] : []),
  ],
});

export const get = read({
  name: 'clientRegistration.get',
  summary: 'Returns the registration of a client to the client itself (RFC 7592, section 2.1).',
  allow,
  actsOn: ofBearer(accountOf),
  run: async (ctx, target: RegisteredTarget): Promise<Registration> => {
    const { realm, by, client } = target;
    await requireAllowed(await policiesOf(ctx.db, realm.id, by.policies), asked(ctx, realm, { client }));
    const row = await ctx.db.client.findUnique({ where: { id: client.id }, select: { secret: true } });
    return {
      client,
      ...(row && { secret: openedSecret({ ...client, ...row }, ctx.services.sealer) }),
      ...(by.kind === 'registration' && { token: await signRegistrationToken(ctx, realm, by.tokenId, by.policies) }),
    };
  },
});

/**
 * The current state of the client. Refuses a registration access token that was replaced while the request waited for
 * others.
 */
async function heldClient(tx: Db, { by, client }: RegisteredTarget) {
  const select = { registrationToken: true, ...powerColumns };
  const now = await tx.client.findUnique({ where: { id: client.id }, select });
  if (by.kind === 'registration' && now?.registrationToken !== by.tokenId) throw notToUpdate();
  return now;
}

export const update = write({
  name: 'clientRegistration.update',
  summary:
    'Changes the registration of a client (RFC 7592, section 2.2). A registration access token is replaced by a new one.',
  input: ClientRepresentation,
  allow,
  actsOn: ofBearer(accountOf),
  alters: ofBearer(altersClient),
  check: (_permit, target: RegisteredTarget, input) => {
    if (input.clientId !== target.client.clientId) throw badMetadata('Client Identifier modified', 'clientId');
    // the policies of the realm check everything else
    checkKind(input);
  },
  lock: ({ client }) => ({ model: 'Client', id: client.id }),
  prepare: async (ctx, target, input) => {
    const { realm, by, client } = target;
    const policies = await policiesOf(ctx.db, realm.id, by.policies);
    await requireAllowed(policies, asked(ctx, realm, { client, proposed: input }));
    // a client that is confidential without having a secret gets one
    const proposed = { ...input, publicClient: input.publicClient ?? client.publicClient };
    const demands = found(await updateClient.prepare?.(ctx, target, proposed));
    return { proposed, demands, token: by.kind === 'registration' ? await newToken(ctx, realm, by) : undefined };
  },
  run: async (tx, target, _input, { ctx, prepared: { proposed, demands, token } }): Promise<Registration> => {
    const now = await heldClient(tx, target);
    const conformed = conforming(demands, { isNew: false, proposed });
    const fitting = now && target.by.kind === 'registration' ? withinPowers(now, conformed) : conformed;
    const client = await updateClient.run(tx, target, fitting, { ctx, prepared: [] });
    if (token) await tx.later.client.updateMany({ where: { id: client.id }, data: { registrationToken: token.id } });
    await tell(tx, ctx, target.realm, 'CLIENT_UPDATE', client);
    return { client, token: token?.text };
  },
  refuses: ['NAME_TAKEN'],
  conflict: () => badMetadata('Client Identifier in use', 'clientId'),
  event: ({ client }, target, input) => updateClient.event(client, target, input),
  touches: ({ client }, target) => updateClient.touches(client, target),
});

export const remove = write({
  name: 'clientRegistration.delete',
  summary: 'Deletes the registration of a client (RFC 7592, section 2.3).',
  allow,
  actsOn: ofBearer(accountOf),
  alters: ofBearer(altersClient),
  lock: ({ client }: RegisteredTarget) => ({ model: 'Client', id: client.id }),
  prepare: async (ctx, { realm, by, client }) =>
    requireAllowed(await policiesOf(ctx.db, realm.id, by.policies), asked(ctx, realm, { client })),
  run: async (tx, target, input, { ctx }): Promise<FullClient> => {
    await heldClient(tx, target);
    await tell(tx, ctx, target.realm, 'CLIENT_DELETE', target.client);
    return removeClient.run(tx, target, input, { ctx, prepared: undefined });
  },
  event: (client, target, input) => removeClient.event(client, target, input),
  touches: (client, target) => removeClient.touches(client, target),
});

export const adapterSettings = read({
  name: 'clientRegistration.installation',
  summary: 'Returns the adapter configuration of a client to the client itself.',
  allow,
  actsOn: ofBearer(accountOf),
  run: async (ctx, target: RegisteredTarget, _input, permit): Promise<Record<string, unknown>> => {
    const input = { providerId: 'keycloak-oidc-keycloak-json' };
    const { content } = await installation.run(ctx, target, input, permit);
    const { credentials, ...settings } = JSON.parse(String(content));
    // a client that has no secret yet
    return { ...settings, ...(credentials && { credentials: credentials.secret === '' ? {} : credentials }) };
  },
});
