import type { Context } from '../core/context.js';
import { numberOf } from '../core/json.js';
import { write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { addressForRealm } from '../core/realm.js';
import { invalid, refuseAll } from '../core/refusal.js';
import { type Input, int, representation, text, texts } from '../core/shape.js';
import { allowsRedirect } from '../login/redirect-uri.js';
import { notSent, requireOwnAddress, type SentMail, sendLink } from '../mail/send-link.js';
import { hasServer } from '../mail/server.js';
import { smtpOf } from '../mail/settings.js';
import { masterName } from '../realms/defaults/master.js';
import { isUsable } from '../user-storage/storage-id.js';
import type { UserTarget } from './locate.js';
import { touchedUser } from './operations.js';

const fields = { clientId: text, redirectUri: text, lifespan: int };
const ActionsEmail = representation('ActionsEmail', { ...fields, actions: texts });
const VerifyEmail = representation('VerifyEmail', fields);

/** The client that a mail goes out for where none is named. */
const ownClient = 'account';

/** Refuses what would make the mail or the links in it useless. */
async function checkMail(
  ctx: Context,
  { realm, user }: UserTarget,
  { clientId, redirectUri, lifespan }: Input<typeof VerifyEmail>,
): Promise<void> {
  if (user.email === null) throw invalid('User email missing', 'email', { code: 'EMAIL_MISSING' });
  if (!isUsable(realm, user)) throw invalid('User is disabled', 'enabled', { code: 'USER_DISABLED' });
  if (redirectUri !== undefined && clientId === undefined) throw invalid('Client id missing', 'clientId');
  const client = await ctx.db.client.findUnique({
    where: { realmId_clientId: { realmId: realm.id, clientId: clientId ?? ownClient } },
    select: { clientId: true, enabled: true, redirectUris: true, rootUrl: true },
  });
  if (!client) throw invalid(`Client doesn't exist`, 'clientId');
  if (!client.enabled) throw invalid('Client is not enabled', 'clientId');
  const place = { baseUrl: addressForRealm(ctx, realm), isMaster: realm.name === masterName };
  if (redirectUri !== undefined && !allowsRedirect(client, redirectUri, place)) {
    throw invalid('Invalid redirect uri.', 'redirectUri');
  }
  if (lifespan !== undefined && lifespan <= 0) throw invalid('lifespan must be positive', 'lifespan');
  if (!hasServer(smtpOf(realm))) throw notSent('the realm has no mail server, which is one of its settings');
  requireOwnAddress(ctx);
}

/** How long the link of a mail may be used, in seconds, where the caller does not say. */
const lifespanOf = (realm: RealmRecord): number =>
  numberOf(realm.settings, 'actionTokenGeneratedByAdminLifespan', 43_200);

/** Refuses actions that the realm does not have: the link could do nothing about them. */
async function checkActions({ db }: Context, realm: RealmRecord, actions: readonly string[]): Promise<void> {
  const known = await db.requiredAction.findMany({
    where: { realmId: realm.id, enabled: true, alias: { in: [...actions] } },
    select: { alias: true },
  });
  const message = 'Provided invalid required actions';
  if (actions.length === 0) throw invalid(message, 'actions');
  const refused = (at: number) => invalid(message, `actions.${at}`, { code: 'UNKNOWN_REQUIRED_ACTION' });
  refuseAll(actions.flatMap((action, at) => (known.some(({ alias }) => alias === action) ? [] : refused(at))));
}

export const executeActionsEmail = write({
  name: 'user.executeActionsEmail',
  summary: 'Sends a user an email with a link to perform required actions.',
  input: ActionsEmail,
  allow: 'manage:users',
  actsOn: ({ user }: UserTarget) => [user.id],
  prepare: async (ctx, target: UserTarget, input) => {
    await checkMail(ctx, target, input);
    await checkActions(ctx, target.realm, input.actions ?? []);
  },
  run: async (_tx, { realm, user }, { clientId, redirectUri, lifespan, actions = [] }): Promise<SentMail> => ({
    id: user.id,
    link: { type: 'execute-actions', actions, clientId: clientId ?? ownClient, redirectUri },
    lifespan: lifespan ?? lifespanOf(realm),
  }),
  refuses: ['EMAIL_MISSING', 'USER_DISABLED', 'UNKNOWN_REQUIRED_ACTION'],
  event: (_, { path }, { actions }) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/execute-actions-email`,
    representation: actions,
  }),
  touches: (_, target) => touchedUser(target),
  effect: sendLink,
});

export const sendVerifyEmail = write({
  name: 'user.sendVerifyEmail',
  summary: 'Sends a user an email with a link to verify the email address.',
  input: VerifyEmail,
  allow: 'manage:users',
  actsOn: ({ user }: UserTarget) => [user.id],
  prepare: async (ctx, target: UserTarget, input) => checkMail(ctx, target, input),
  run: async (_tx, { realm, user }, { clientId, redirectUri, lifespan }): Promise<SentMail> => ({
    id: user.id,
    link: { type: 'verify-email', actions: ['VERIFY_EMAIL'], clientId: clientId ?? ownClient, redirectUri },
    lifespan: lifespan ?? lifespanOf(realm),
  }),
  refuses: ['EMAIL_MISSING', 'USER_DISABLED'],
  event: (_, { path }) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/send-verify-email`,
  }),
  touches: (_, target) => touchedUser(target),
  effect: sendLink,
});
