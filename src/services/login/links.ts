import { textsOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { inTransaction, inUnitOfWork } from '../core/unit-of-work.js';
import { recordLoginEvent, storeLoginEvent } from '../events/login-events.js';
import { type ActionToken, isUsed, readActionToken, useActionToken } from '../mail/action-token.js';
import { accountMark } from '../mail/link-binding.js';
import { findRealmAndClient, findUserById } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { isUsable } from '../user-storage/storage-id.js';
import { type Attempt, atNow, type Browser, type LoginSite, type Reply } from './attempt.js';
import { accountKey } from './broker/brokered.js';
import { attemptOf, goOn, turnTo } from './proceed.js';
import { PageRefusal } from './refusals.js';
import { withLoginFields } from './request.js';
import { dropState, type KeptState, loadState, newState } from './state.js';

const verification = 'VERIFY_EMAIL';
const linking = 'idp-verify-account-via-email';

/**
 * Shows what the link of a mail is for. Nothing is done by that, since programs that look through mails open links too:
 * the user has to press the button of the page.
 */
export async function followLink(site: LoginSite, realm: RealmRecord, key: string, browser: Browser): Promise<Reply> {
  const { services, tokens } = site;
  const token = await readActionToken(services, realm, key);
  if (typeof token === 'string') return refuse(site, realm, browser, undefined, token);
  const user = await findUserById(tokens, realm, token.userId);
  const isOver = async () =>
    (await isUsed(services, token)) || (await accountMark(services.database.read, token.userId)) !== token.mark;
  const wrong = problemOf(user, token) ?? ((await isOver()) ? 'expired_code' : undefined);
  if (wrong) return refuse(site, realm, browser, token, wrong);
  const { client: found } = await findRealmAndClient(tokens, realm.name, token.clientId);
  const client = found && (await withLoginFields(tokens, found));
  if (!client?.enabled) return refuse(site, realm, browser, token, 'client_not_found');
  if (token.type === linking && !(await loginToLink(site, realm, browser, token)))
    throw new PageRefusal(400, 'linkOtherBrowser');
  const redirectUri = token.redirectUri ?? '';
  const kept = newState(browser, {
    clientId: client.clientId,
    request: { redirectUri, responseMode: 'query', prompt: [] },
    link: { token, confirmed: false },
  });
  return goOn(await attemptOf(site, realm, client, browser, kept), undefined);
}

/**
 * The login that waits for the link of a mail to a user who is to be linked, with the account that the mail names. It must be in the
 * same browser: otherwise a user who follows a link that somebody else has asked for would let that person in.
 */
async function loginToLink(
  { services }: LoginSite,
  realm: RealmRecord,
  browser: Browser,
  { tab, userId, actions }: ActionToken,
): Promise<KeptState | undefined> {
  const kept = tab === undefined ? undefined : await loadState(services, realm, browser.id, tab);
  const { existing, identity } = kept?.state.brokered ?? {};
  const isMeant = existing?.id === userId && identity !== undefined && actions.includes(accountKey(identity));
  return isMeant ? kept : undefined;
}

const problemOf = (user: TokenUser | null, token: ActionToken): string | undefined => {
  if (!user) return 'user_not_found';
  if (!user.enabled) return 'user_disabled';
  // the link proves that its reader has the address that it was sent to, and no other
  return user.email === token.email ? undefined : 'invalid_email';
};

/**
 * Does what the link of a mail is for, once: the address is proved by it. Goes on with the login that has sent the mail,
 * where that is under way in the same browser.
 */
export async function confirmLink(attempt: Attempt): Promise<Reply> {
  const { services, realm, browser, kept } = attempt;
  const { link } = kept.state;
  if (!link) throw new PageRefusal(400, 'loginExpired');
  const { token } = link;
  if (token.type === linking && !(await loginToLink(attempt, realm, browser, token)))
    throw new PageRefusal(400, 'linkOtherBrowser');
  const touches = [`users:${realm.id}`, `user:${token.userId}`];
  const done = await inUnitOfWork(services, async ({ tx, changed }) => {
    const user = await tx.user.findFirst({
      where: { id: token.userId, realmId: realm.id },
      select: {
        enabled: true,
        federationLink: true,
        email: true,
        username: true,
        emailVerified: true,
        requiredActions: true,
      },
    });
    if (!user) return { error: 'user_not_found' };
    if (!isUsable(realm, user)) return { error: 'user_disabled' };
    if (user.email !== token.email) return { error: 'invalid_email' };
    if ((await accountMark(tx, token.userId)) !== token.mark) return { error: 'expired_code' };
    if (!(await useActionToken(tx, realm, token))) return { error: 'expired_code' };
    const requiredActions = textsOf(user.requiredActions).filter((action) => action !== verification);
    const data = { requiredActions, emailVerified: true, version: { increment: 1 } };
    await tx.later.user.updateMany({ where: { id: token.userId }, data });
    const common = { clientId: token.clientId, userId: token.userId, ipAddress: browser.ipAddress };
    const details = { username: user.username, email: token.email, token_id: token.id, action: token.type };
    const types = [
      ...(token.type === 'execute-actions' ? ['EXECUTE_ACTION_TOKEN'] : []),
      ...(token.actions.includes(verification) ? [verification] : []),
    ];
    for (const type of types) {
      await storeLoginEvent(tx, services, realm, { type, ...common, details });
    }
    await changed({ realmId: realm.id, operation: 'user.followLink', touches });
    // what the link itself has changed does not end it
    return { username: user.username, mark: await accountMark(tx, token.userId) };
  });
  if ('error' in done) return refuse(attempt, realm, browser, token, done.error ?? '');
  const { username, mark } = done;
  return goOn(await afterConfirmation(attempt, { ...token, mark }, username), undefined);
}

/** The login that goes on: the one that has sent the mail, or else a way of its own that ends without a session. */
async function afterConfirmation(attempt: Attempt, token: ActionToken, username: string): Promise<Attempt> {
  const { services, realm, browser, kept } = attempt;
  const other = token.tab === undefined ? undefined : await loadState(services, realm, browser.id, token.tab);
  const continued = other && (await continuable(attempt, other, token));
  if (continued) await inTransaction(services.database, (tx) => dropState(tx, kept));
  const present = continued ?? attempt;
  const { state } = present.kept;
  if (!continued) {
    state.link = { token, confirmed: true };
    Object.assign(state, { asked: token.actions, mark: token.mark });
  }
  if (token.type === 'reset-credentials') {
    turnTo(present, 'reset');
    Object.assign(state, { byMail: true, username, authTime: atNow(attempt), mark: token.mark });
  }
  if (token.type === linking) {
    if (!continued || !state.brokered) throw new PageRefusal(400, 'linkOtherBrowser');
    state.brokered.proved = token.userId;
    return present;
  }
  state.userId = token.userId;
  const user = await findUserById(attempt.tokens, realm, token.userId);
  if (user) present.user = user;
  return present;
}

async function continuable(attempt: Attempt, other: KeptState, token: ActionToken): Promise<Attempt | undefined> {
  const { realm, browser, tokens } = attempt;
  const { state } = other;
  const before = token.type === 'verify-email' ? (state.userId ?? state.session?.userId) : state.session?.userId;
  if (before !== undefined && before !== token.userId) return undefined;
  const { client: found } = await findRealmAndClient(tokens, realm.name, state.clientId);
  const client = found && (await withLoginFields(tokens, found));
  // a mail for confirming an address does not prove who somebody is
  if (!client?.enabled || (token.type === 'verify-email' && before === undefined)) return undefined;
  if (token.type !== linking && state.brokered) return undefined;
  return attemptOf(attempt, realm, client, browser, other);
}

async function refuse(
  { services }: LoginSite,
  realm: RealmRecord,
  { ipAddress }: Browser,
  token: ActionToken | undefined,
  error: string,
): Promise<never> {
  const event = {
    type: token?.type === 'verify-email' ? `${verification}_ERROR` : 'EXECUTE_ACTION_TOKEN_ERROR',
    clientId: token?.clientId,
    userId: token?.userId,
    ipAddress,
    error,
    details: { action: token?.type },
  };
  await recordLoginEvent(services, realm, event);
  throw new PageRefusal(400, error === 'expired_code' ? 'expiredActionMessage' : 'invalidActionMessage');
}
