import type { Db } from '../../database/db.js';
import type { Services } from '../core/context.js';
import { storeNotice } from '../core/notice.js';
import { notFound } from '../core/refusal.js';
import { retried } from '../core/transaction.js';
import { storeLoginEvent } from '../events/login-events.js';
import type { RealmRecord } from '../realms/record.js';
import { textsOf } from '../tokens/context.js';
import { type ActionToken, readActionToken, useActionToken } from './action-token.js';
import { type Language, languageOf } from './language.js';
import { actionNames } from './send-link.js';
import { fill } from './texts.js';

/** What whoever follows a link is shown. */
export interface LinkOutcome {
  done: boolean;
  language: Language;
  message: string;
  /** where the user goes on */
  back: string | undefined;
}

const verification = 'VERIFY_EMAIL';

/**
 * Does what the link of a mail is for, once. The address is verified here and now; what else there is to do is asked for
 * at the next login.
 */
export async function followLink(
  services: Services,
  realmName: string,
  key: string,
  ipAddress: string,
): Promise<LinkOutcome> {
  const { database } = services;
  const realm = await services.realms.byName(database.read, realmName);
  if (!realm?.enabled) throw notFound('Realm does not exist');
  const token = await readActionToken(services, realm, key);
  if (typeof token === 'string') return refused(services, realm, undefined, token, ipAddress);
  const touches = [`users:${realm.id}`, `user:${token.userId}`];
  const change = { realmId: realm.id, operation: 'user.followLink', touches };
  const done = await retried(database, async (tx) => {
    const result = await perform(tx, services, realm, token, ipAddress);
    return 'left' in result ? { ...result, notice: await storeNotice(tx, services, change) } : result;
  });
  if ('error' in done) return refused(services, realm, token, done.error, ipAddress);
  services.feed.publish(done.notice);
  const language = await languageOf(database.read, realm, done.locale);
  const first = language.text(token.type === 'verify-email' ? 'emailVerifiedMessage' : 'accountUpdatedMessage') ?? '';
  const left = fill(language.text('actionsLeftMessage') ?? '', [actionNames(language, done.left)]);
  const verified = token.actions.includes(verification);
  const messages = [...(verified || done.left.length === 0 ? [first] : []), ...(done.left.length > 0 ? [left] : [])];
  return { done: true, language, message: messages.join(' '), back: token.redirectUri };
}

interface Performed {
  /** actions that the user has yet to perform */
  left: string[];
  locale: string | undefined;
}

async function perform(
  tx: Db,
  { newId, now }: Services,
  realm: RealmRecord,
  token: ActionToken,
  ipAddress: string,
): Promise<Performed | { error: string }> {
  const user = await tx.user.findFirst({
    where: { id: token.userId, realmId: realm.id },
    select: {
      enabled: true,
      email: true,
      username: true,
      requiredActions: true,
      attributes: { where: { name: 'locale' }, select: { value: true } },
    },
  });
  if (!user) return { error: 'user_not_found' };
  if (!user.enabled) return { error: 'user_disabled' };
  // the link proves that its reader has the address that it was sent to, and no other
  if (user.email !== token.email) return { error: 'invalid_email' };
  if (!(await useActionToken(tx, realm, token))) return { error: 'expired_code' };
  const verifies = token.actions.includes(verification);
  const left = token.actions.filter((action) => action !== verification);
  const before = textsOf(user.requiredActions).filter((action) => !(verifies && action === verification));
  const data = { requiredActions: [...new Set([...before, ...left])], version: { increment: 1 } };
  await tx.later.user.updateMany({
    where: { id: token.userId },
    data: verifies ? { ...data, emailVerified: true } : data,
  });
  const common = { clientId: token.clientId, userId: token.userId, ipAddress };
  const details = { username: user.username, email: token.email, token_id: token.id, action: token.type };
  const types = [
    ...(token.type === 'execute-actions' ? ['EXECUTE_ACTION_TOKEN'] : []),
    ...(verifies ? [verification] : []),
  ];
  for (const type of types) await storeLoginEvent(tx, newId, realm, { type, ...common, details }, now());
  return { left, locale: user.attributes[0]?.value };
}

async function refused(
  { database, newId, now }: Services,
  realm: RealmRecord,
  token: ActionToken | undefined,
  error: string,
  ipAddress: string,
): Promise<LinkOutcome> {
  const event = {
    type: token?.type === 'verify-email' ? `${verification}_ERROR` : 'EXECUTE_ACTION_TOKEN_ERROR',
    clientId: token?.clientId,
    userId: token?.userId,
    ipAddress,
    error,
  };
  await retried(database, (tx) => storeLoginEvent(tx, newId, realm, event, now()));
  const language = await languageOf(database.read, realm, undefined);
  const key = error === 'expired_code' ? 'expiredActionMessage' : 'invalidActionMessage';
  return { done: false, language, message: language.text(key) ?? '', back: undefined };
}
